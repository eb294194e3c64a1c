// Kernels for processors with AVX-512 and products of bytes (VNNI).
#if defined(__x86_64__)
#define HEED_LANES 16
#define HEED_TILE_ROWS 12
#define HEED_ADD_BYTES _mm512_dpbusd_epi32
#define HEED_ADD_SHORTS _mm512_dpwssd_epi32
#include "kernels/loops.h"

namespace heed {

constinit const Kernels kAvx512VnniKernels = table_of("avx512_vnni");

}  // namespace heed
#endif
