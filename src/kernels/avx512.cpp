// Kernels for processors with AVX-512.
#if defined(__x86_64__)
#define HEED_LANES 16
#define HEED_TILE_ROWS 12
#include "kernels/loops.h"

namespace heed {

constinit const Kernels kAvx512Kernels = table_of("avx512");

}  // namespace heed
#endif
