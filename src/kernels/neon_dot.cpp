// Kernels for ARM processors with products of bytes (SDOT, Armv8.2).
#if defined(__aarch64__)
#define HEED_LANES 4
#define HEED_TILE_ROWS 6
#define HEED_DOT_PRODUCTS
#include "kernels/loops.h"

namespace heed {

constinit const Kernels kNeonDotKernels = table_of("neon_dot");

}  // namespace heed
#endif
