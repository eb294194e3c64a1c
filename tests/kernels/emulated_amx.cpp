// The products of kernels/amx.cpp with tiles that are arrays, so that they are tested on processors
// with AVX512-BF16 but without AMX: its intrinsics by their definition (Intel, Software Developer's
// Manual, volume 2, TDPBF16PS, TDPBUSD, TILELOADD, TILESTORED), but for the order of additions and
// subnormal numbers.
//
// No inline function of the standard library may be used here (kernels/vector_loops.h).
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>

namespace heed {
namespace {

struct Tile {
  int64_t rows, bytes;  // bytes of a row
  uint8_t data[16][64];
};
thread_local Tile tiles[8];

void configure(const void* config) {
  const auto* bytes = static_cast<const uint8_t*>(config);
  for (int t = 0; t < 8; ++t) {
    uint16_t width = 0;
    __builtin_memcpy(&width, bytes + 16 + 2 * t, sizeof(width));
    tiles[t] = {bytes[48 + t], width, {}};
  }
}

void release() {
  for (Tile& tile : tiles) tile = {};
}

void clear(int t) { __builtin_memset(tiles[t].data, 0, sizeof(tiles[t].data)); }

void load_tile(int t, const void* from, int64_t stride) {
  clear(t);
  for (int64_t r = 0; r < tiles[t].rows; ++r)
    __builtin_memcpy(tiles[t].data[r], static_cast<const uint8_t*>(from) + r * stride,
                     static_cast<size_t>(tiles[t].bytes));
}

void store_tile(int t, void* to, int64_t stride) {
  for (int64_t r = 0; r < tiles[t].rows; ++r)
    __builtin_memcpy(static_cast<uint8_t*>(to) + r * stride, tiles[t].data[r],
                     static_cast<size_t>(tiles[t].bytes));
}

float float_of(const uint8_t* half) {
  uint32_t bits = 0;
  __builtin_memcpy(reinterpret_cast<uint8_t*>(&bits) + 2, half, 2);
  float value = 0;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

float product_of(const uint8_t* a, const uint8_t* b, float sum) {
  return sum + float_of(a) * float_of(b) + float_of(a + 2) * float_of(b + 2);
}
int32_t product_of(const uint8_t* a, const uint8_t* b, int32_t sum) {
  for (int i = 0; i < 4; ++i) sum += a[i] * static_cast<int8_t>(b[i]);
  return sum;
}

// sum += a·b, four bytes of a row of a and four of each column of b at a time.
template <class Sum>
void add_product(int to, int a, int b) {
  const bool fit = tiles[to].rows == tiles[a].rows && tiles[a].bytes == 4 * tiles[b].rows &&
                   tiles[to].bytes == tiles[b].bytes;
  if (!fit) __builtin_trap();  // #UD
  for (int64_t r = 0; r < tiles[to].rows; ++r) {
    for (int64_t k = 0; k < tiles[a].bytes; k += 4) {
      for (int64_t c = 0; c < tiles[to].bytes; c += 4) {
        Sum sum = 0;
        __builtin_memcpy(&sum, tiles[to].data[r] + c, 4);
        sum = product_of(tiles[a].data[r] + k, tiles[b].data[k / 4] + c, sum);
        __builtin_memcpy(tiles[to].data[r] + c, &sum, 4);
      }
    }
  }
}

}  // namespace
}  // namespace heed

#undef _tile_loadd
#undef _tile_stored
#undef _tile_zero
#undef _tile_dpbf16ps
#undef _tile_dpbusd
#define _tile_loadconfig ::heed::configure
#define _tile_release ::heed::release
#define _tile_zero ::heed::clear
#define _tile_loadd ::heed::load_tile
#define _tile_stored ::heed::store_tile
#define _tile_dpbf16ps ::heed::add_product<float>
#define _tile_dpbusd ::heed::add_product<int32_t>
#define amx_kernels emulated_amx_kernels
#include "kernels/amx.cpp"
#endif
