// Kernels for processors with AVX2 and FMA.
#if defined(__x86_64__)
#define HEED_LANES 8
#define HEED_TILE_ROWS 6
#include "kernels/loops.h"

namespace heed {

constinit const Kernels kAvx2Kernels = table_of("avx2");

}  // namespace heed
#endif
