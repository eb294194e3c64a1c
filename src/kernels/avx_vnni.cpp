// Kernels for processors with AVX2 and products of bytes (AVX-VNNI) but without AVX-512.
#if defined(__x86_64__)
#define HEED_LANES 8
#define HEED_TILE_ROWS 6
#define HEED_ADD_BYTES _mm256_dpbusd_avx_epi32
#define HEED_ADD_SHORTS _mm256_dpwssd_avx_epi32
#include "kernels/loops.h"

namespace heed {

constinit const Kernels kAvxVnniKernels = table_of("avx_vnni");

}  // namespace heed
#endif
