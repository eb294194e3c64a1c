// Kernels for processors with AVX2 and FMA.
#if defined(__x86_64__)
#define HEED_LANES 8
#define HEED_TILE_ROWS 6
#include "kernels/loops.h"
#include "kernels/sets.h"

namespace heed {

extern const Kernels kAvx2Kernels = HEED_KERNELS("avx2", kColumns, kLanes);

}  // namespace heed
#endif
