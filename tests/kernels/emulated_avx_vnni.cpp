// The kernels of kernels/avx_vnni.cpp with its products of integers by their definitions (Intel, Software
// Developer's Manual, volume 2, VPDPBUSD and VPDPWSSD), so that they are tested on processors with AVX2
// alone.
//
// No inline function of the standard library may be used here (kernels/vector_loops.h).
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>

namespace heed {
namespace {

__m256i add_products_of_bytes(__m256i sum, __m256i x, __m256i w) {
  int32_t sums[8];
  uint8_t unsigned_bytes[32];
  int8_t signed_bytes[32];
  __builtin_memcpy(sums, &sum, 32);
  __builtin_memcpy(unsigned_bytes, &x, 32);
  __builtin_memcpy(signed_bytes, &w, 32);
  for (int i = 0; i < 32; ++i) sums[i / 4] += unsigned_bytes[i] * signed_bytes[i];
  __builtin_memcpy(&sum, sums, 32);
  return sum;
}

__m256i add_products_of_shorts(__m256i sum, __m256i x, __m256i w) {
  int32_t sums[8];
  int16_t left[16], right[16];
  __builtin_memcpy(sums, &sum, 32);
  __builtin_memcpy(left, &x, 32);
  __builtin_memcpy(right, &w, 32);
  for (int i = 0; i < 16; ++i) sums[i / 2] += left[i] * right[i];
  __builtin_memcpy(&sum, sums, 32);
  return sum;
}

}  // namespace
}  // namespace heed

#undef _mm256_dpbusd_avx_epi32
#define _mm256_dpbusd_avx_epi32 ::heed::add_products_of_bytes
#undef _mm256_dpwssd_avx_epi32
#define _mm256_dpwssd_avx_epi32 ::heed::add_products_of_shorts
#define kAvxVnniKernels kEmulatedAvxVnniKernels
#include "kernels/avx_vnni.cpp"
#endif
