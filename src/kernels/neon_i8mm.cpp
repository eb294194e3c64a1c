// Kernels for ARM processors with products of bytes and of matrices of bytes (SDOT, SMMLA; Armv8.6).
#if defined(__aarch64__)
#define HEED_LANES 4
#define HEED_TILE_ROWS 6
#define HEED_DOT_PRODUCTS
#define HEED_MATRIX_PRODUCTS
#include "kernels/loops.h"

namespace heed {

constinit const Kernels kNeonI8mmKernels = table_of("neon_i8mm");

}  // namespace heed
#endif
