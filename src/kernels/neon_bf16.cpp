// Kernels for ARM processors with products of bytes and of bfloat16, and of matrices of them (SDOT,
// SMMLA, BFDOT, BFMMLA; Armv8.6). BFMMLA adds as two BFDOT do, one after the other.
#if defined(__aarch64__)
#define HEED_LANES 4
#define HEED_TILE_ROWS 6
#define HEED_DOT_PRODUCTS
#define HEED_MATRIX_PRODUCTS
#define HEED_BF16_PRODUCTS
#include "kernels/loops.h"

namespace heed {

constinit const Kernels kNeonBf16Kernels = table_of("neon_bf16");

}  // namespace heed
#endif
