// Kernels for processors without AVX2, and others than x86: vectors of 16 bytes, which the compiler
// maps to the instructions that every processor of its target has (SSE2, NEON, SIMD of WebAssembly).
#define HEED_LANES 4
#define HEED_TILE_ROWS 6
#if defined(__x86_64__)
#define HEED_ADD_SHORTS(sum, x, w) _mm_add_epi32(sum, _mm_madd_epi16(x, w))
#elif defined(__wasm_simd128__)
#define HEED_ADD_SHORTS(sum, x, w) wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(x, w))
#endif
#include "kernels/loops.h"

namespace heed {

constinit const Kernels kPlainKernels = table_of("plain");

}  // namespace heed
