// Kernels in the vector extension of the compiler, included by the file of each instruction set,
// which defines HEED_LANES (floats per vector), HEED_TILE_ROWS (rows of a register tile of a
// product) and, where the set has them, HEED_ADD_BYTES and HEED_ADD_SHORTS (the intrinsics that add
// the products of four unsigned and four signed bytes, and of two pairs of 16-bit integers, to each
// lane of a sum).
//
// Highway is not used: version 1.0.3 of Debian 12 was as fast in float32, but has no products of
// bytes or bfloat16. With intrinsics for them, g++ 12 keeps its sums of bytes in memory
// (docs/measurements/techniques.csv). The extension, too, serves other processors (plain.cpp).
//
// No inline function of the standard library may be used here: the linker keeps a single copy of
// each, possibly the one compiled for an instruction set that the processor lacks.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/kernels.h"

namespace heed {
namespace {

constexpr int kLanes = HEED_LANES;
constexpr int kVectors = 2;  // of a panel
constexpr int kColumns = kVectors * kLanes;
constexpr int kTileRows = HEED_TILE_ROWS;
constexpr bool kHasFastInt8 = HEED_LANES > 4;

typedef float Floats __attribute__((vector_size(kLanes * 4)));
typedef int32_t Ints __attribute__((vector_size(kLanes * 4)));
typedef uint16_t Halves __attribute__((vector_size(kLanes * 2)));
#if HEED_LANES == 16
typedef __m512i Register;
#elif HEED_LANES == 8
typedef __m256i Register;
#elif defined(__x86_64__)
typedef __m128i Register;
#endif

template <class Vector, class T>
inline Vector load(const T* x) {
  Vector v;
  __builtin_memcpy(&v, x, sizeof(Vector));
  return v;
}
template <class Vector, class T>
inline void store(T* x, Vector v) {
  __builtin_memcpy(x, &v, sizeof(Vector));
}
inline Floats all(float x) { return x - Floats{}; }
inline Ints all(int32_t x) { return x - Ints{}; }
inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
// Elements of the vectors, or panels, that hold `count` elements.
inline int64_t whole_vectors(int64_t count) { return (count + kLanes - 1) / kLanes * kLanes; }
inline int64_t whole_panels(int64_t count) { return (count + kColumns - 1) / kColumns * kColumns; }
inline Floats greater(Floats a, Floats b) { return a > b ? a : b; }

// The lanes of v in this order.
inline Floats shuffled(Floats v, Ints order) {
#if defined(__clang__)  // which has no __builtin_shuffle()
  Floats result = v;
  for (int i = 0; i < kLanes; ++i) result[i] = v[order[i]];
  return result;
#else
  return __builtin_shuffle(v, order);
#endif
}

inline float sum_of(Floats v) {
#if HEED_LANES == 16
  return _mm512_reduce_add_ps(reinterpret_cast<__m512>(v));
#else
  float sum = 0;
  for (int i = 0; i < kLanes; ++i) sum += v[i];
  return sum;
#endif
}
inline float greatest_of(Floats v) {
#if HEED_LANES == 16
  return _mm512_reduce_max_ps(reinterpret_cast<__m512>(v));
#else
#if HEED_LANES == 8
  v = greater(v, shuffled(v, Ints{4, 5, 6, 7, 0, 1, 2, 3}));
  v = greater(v, shuffled(v, Ints{2, 3, 0, 1, 6, 7, 4, 5}));
#else
  v = greater(v, shuffled(v, Ints{2, 3, 0, 1}));
#endif
  return v[0] > v[1] ? v[0] : v[1];
#endif
}

// Rounded to the nearest, for |x| below 2^22.
inline Floats rounded(Floats x) {
  const Floats magic = all(12582912.0F);  // 1.5 · 2^23
  return (x + magic) - magic;
}

// e^x by e^x = 2^n e^r, |r| <= ln 2 / 2, and a polynomial in r (Cephes, expf): relative error 2e-7.
// 0 below -87.
inline Floats exp_of(Floats x) {
  const Floats low = all(-87.33F), high = all(88.37F);
  const Ints zero = x < low;
  x = x < low ? low : x;
  x = x > high ? high : x;
  const Floats n = rounded(x * 1.44269504088896341F);
  const Floats r = (x - n * 0.693359375F) - n * -2.12194440e-4F;
  Floats p = all(1.9875691500E-4F);
  p = p * r + 1.3981999507E-3F;
  p = p * r + 8.3334519073E-3F;
  p = p * r + 4.1665795894E-2F;
  p = p * r + 1.6666665459E-1F;
  p = p * r + 5.0000001201E-1F;
  p = p * (r * r) + r + 1.0F;
  const Ints power = (__builtin_convertvector(n, Ints) + 127) << 23;
  const Floats result = p * reinterpret_cast<Floats>(power);
  return zero ? Floats{} : result;
}

// Adds the products of two pairs of bfloat16 in each lane to `sum`.
inline Floats add_pairs(Floats sum, int32_t pair, Ints pairs) {
#if HEED_LANES == 16 && defined(__AVX512BF16__)
  return reinterpret_cast<Floats>(_mm512_dpbf16_ps(
      reinterpret_cast<__m512>(sum), reinterpret_cast<__m512bh>(_mm512_set1_epi32(pair)),
      reinterpret_cast<__m512bh>(pairs)));
#else
  constexpr int32_t kHigh = static_cast<int32_t>(0xFFFF0000U);
  sum += reinterpret_cast<Floats>(all(pair << 16)) * reinterpret_cast<Floats>(pairs << 16);
  return sum +
         reinterpret_cast<Floats>(all(pair & kHigh)) * reinterpret_cast<Floats>(pairs & all(kHigh));
#endif
}

// Adds the product of a float, given by its bits, and the floats of each lane to `sum`.
inline Floats add_product(Floats sum, int32_t bits, Ints floats) {
  return sum + reinterpret_cast<Floats>(all(bits)) * reinterpret_cast<Floats>(floats);
}

// A panel of a product (MatrixView), as one of its tiles reads it. Weights that no cache holds arrive
// while others are multiplied: each step of a tile prefetches two cache lines at `ahead`.
struct Panel {
  int64_t column;  // its first output
  const char* weights;
  const char* ahead;
  int64_t ahead_step;  // bytes from those of a step to those of the next
};
constexpr int64_t kPanelStep = 4 * kColumns;  // bytes of the weights of a step

// A register tile of a product: kRows rows by one panel. In every format four bytes of a row meet
// four bytes of each output: add(sum, those of the row, those of the outputs).
template <int kRows, class X, class Sum, class Add>
inline void sum_tile(const X* x, int64_t stride, const Panel& panel, int64_t depth, const Add& add,
                     Sum (&sums)[kRows][kVectors]) {
  constexpr int64_t kStep = 4 / sizeof(X);  // elements
  const char *own = panel.weights, *ahead = panel.ahead;
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) sums[r][v] = Sum{};
  }
  for (int64_t i = 0; i < depth; i += kStep, own += kPanelStep, ahead += panel.ahead_step) {
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + 64);
    Ints weights[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) weights[v] = load<Ints>(own + v * sizeof(Ints));
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      int32_t four;
      __builtin_memcpy(&four, x + r * stride + i, 4);
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) sums[r][v] = add(sums[r][v], four, weights[v]);
    }
  }
}

// Adds the products of two pairs of 16-bit integers in each lane to `sum`.
inline Ints add_shorts(Ints sum, int32_t pair, Ints pairs) {
#if HEED_LANES == 4 && !defined(HEED_ADD_SHORTS)
  return sum + (all(pair) << 16 >> 16) * (pairs << 16 >> 16) + (all(pair) >> 16) * (pairs >> 16);
#else
  const Register x = reinterpret_cast<Register>(all(pair)), w = reinterpret_cast<Register>(pairs);
#if defined(HEED_ADD_SHORTS)
  return reinterpret_cast<Ints>(HEED_ADD_SHORTS(reinterpret_cast<Register>(sum), x, w));
#elif HEED_LANES == 16
  return sum + reinterpret_cast<Ints>(_mm512_madd_epi16(x, w));
#else
  return sum + reinterpret_cast<Ints>(_mm256_madd_epi16(x, w));
#endif
#endif
}

#if defined(HEED_ADD_BYTES) || HEED_LANES == 4
#define HEED_ADDS_IN_32_BITS  // the products of bytes
constexpr int kInt8TileRows = kTileRows;
// Adds the products of four unsigned and four signed bytes in each lane to `sum`.
inline Ints add_bytes(Ints sum, int32_t unsigned_bytes, Ints signed_bytes) {
#if defined(HEED_ADD_BYTES)
  return reinterpret_cast<Ints>(HEED_ADD_BYTES(reinterpret_cast<Register>(sum),
                                               reinterpret_cast<Register>(all(unsigned_bytes)),
                                               reinterpret_cast<Register>(signed_bytes)));
#else  // bytes 0 and 2, then bytes 1 and 3, as integers of 16 bits
  typedef int16_t Shorts __attribute__((vector_size(kLanes * 4)));
  constexpr int32_t kEven = 0x00FF00FF;
  const Shorts bytes = reinterpret_cast<Shorts>(signed_bytes);
  sum = add_shorts(sum, unsigned_bytes & kEven, reinterpret_cast<Ints>(bytes << 8 >> 8));
  return add_shorts(sum, unsigned_bytes >> 8 & kEven, reinterpret_cast<Ints>(bytes >> 8));
#endif
}
template <int kRows>
inline void sum_bytes(const uint8_t* x, const Panel& panel, int64_t depth,
                      Ints (&sums)[kRows][kVectors]) {
  sum_tile<kRows>(x, depth, panel, depth, add_bytes, sums);
}
#else
constexpr int kInt8TileRows = HEED_LANES == 8 ? 4 : kTileRows;  // the weights stay in registers
// The sums of two products of an unsigned and a signed byte in each 16-bit lane.
inline Register pair_sums(int32_t unsigned_bytes, Register signed_bytes) {
  const Register x = reinterpret_cast<Register>(all(unsigned_bytes));
#if HEED_LANES == 16
  return _mm512_maddubs_epi16(x, signed_bytes);
#else
  return _mm256_maddubs_epi16(x, signed_bytes);
#endif
}
// Adds the sums of four products in each 16-bit lane, a + b, to `sum`.
inline Ints add_pair_sums(Ints sum, Register a, Register b) {
#if HEED_LANES == 16
  const Register products = _mm512_madd_epi16(_mm512_add_epi16(a, b), _mm512_set1_epi16(1));
#else
  const Register products = _mm256_madd_epi16(_mm256_add_epi16(a, b), _mm256_set1_epi16(1));
#endif
  return sum + reinterpret_cast<Ints>(products);
}
// Two steps of sum_tile() at a time: the sums of four products fit into 16 bits (quantize_weights).
template <int kRows>
inline void sum_bytes(const uint8_t* x, const Panel& panel, int64_t depth,
                      Ints (&sums)[kRows][kVectors]) {
  const char *own = panel.weights, *ahead = panel.ahead;
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) sums[r][v] = Ints{};
  }
  for (int64_t i = 0; i < depth; i += 8, own += 2 * kPanelStep, ahead += 2 * panel.ahead_step) {
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + panel.ahead_step);
    Register weights[2][kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      weights[0][v] = load<Register>(own + v * sizeof(Register));
      weights[1][v] = load<Register>(own + kPanelStep + v * sizeof(Register));
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      int32_t fours[2];
      __builtin_memcpy(fours, x + r * depth + i, 8);
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v)
        sums[r][v] = add_pair_sums(sums[r][v], pair_sums(fours[0], weights[0][v]),
                                   pair_sums(fours[1], weights[1][v]));
    }
  }
}
#endif

// Writes the sums [columns] of a row and a panel, plus the bias.
inline void write_sums(const Floats (&sums)[kVectors], const MatrixView& w, int64_t column,
                       float* y) {
  if (column + kColumns <= w.outputs) {
    for (int v = 0; v < kVectors; ++v) {
      const int64_t c = column + v * kLanes;
      store(y + c, w.bias != nullptr ? sums[v] + load<Floats>(w.bias + c) : sums[v]);
    }
    return;
  }
  for (int64_t c = column; c < w.outputs; ++c) {
    const float sum = sums[(c - column) / kLanes][(c - column) % kLanes];
    y[c] = w.bias != nullptr ? sum + w.bias[c] : sum;
  }
}

template <int kRows>
void float_rows(const float* x, int64_t stride, const MatrixView& w, const Panel& panel, float* y,
                int64_t y_stride) {
  Floats sums[kRows][kVectors];
  sum_tile<kRows>(x, stride, panel, w.inputs, add_product, sums);
  for (int r = 0; r < kRows; ++r) write_sums(sums[r], w, panel.column, y + r * y_stride);
}

template <int kRows>
void bf16_rows(const uint16_t* x, int64_t stride, const MatrixView& w, const Panel& panel, float* y,
               int64_t y_stride) {
  Floats sums[kRows][kVectors];
  sum_tile<kRows>(x, stride, panel, w.depth, add_pairs, sums);
  for (int r = 0; r < kRows; ++r) write_sums(sums[r], w, panel.column, y + r * y_stride);
}

// Writes sums of integers times the scales of their rows and outputs.
template <int kRows>
inline void write_scaled(const Ints (&sums)[kRows][kVectors], const float* scales,
                         const MatrixView& w, const Panel& panel, float* y, int64_t y_stride) {
  for (int r = 0; r < kRows; ++r) {
    Floats values[kVectors];
    for (int v = 0; v < kVectors; ++v)  // scales are filled up to whole panels
      values[v] = __builtin_convertvector(sums[r][v], Floats) *
                  load<Floats>(w.scales + panel.column + v * kLanes) * scales[r];
    write_sums(values, w, panel.column, y + r * y_stride);
  }
}

template <int kRows>
void int8_rows(const uint8_t* x, const float* scales, const MatrixView& w, const Panel& panel,
               float* y, int64_t y_stride) {
  Ints sums[kRows][kVectors];
  sum_bytes(x, panel, w.depth, sums);
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v)  // as filled up as the scales
      sums[r][v] -= load<Ints>(w.sums + panel.column + v * kLanes);
  }
  write_scaled(sums, scales, w, panel, y, y_stride);
}

template <int kRows>
void int16_rows(const int16_t* x, const float* scales, const MatrixView& w, const Panel& panel,
                float* y, int64_t y_stride) {
  Ints sums[kRows][kVectors];
  sum_tile<kRows>(x, w.depth, panel, w.depth, add_shorts, sums);
  write_scaled(sums, scales, w, panel, y, y_stride);
}

using FloatTile = void (*)(const float*, int64_t, const MatrixView&, const Panel&, float*, int64_t);
using Bf16Tile = void (*)(const uint16_t*, int64_t, const MatrixView&, const Panel&, float*,
                          int64_t);
using Int8Tile = void (*)(const uint8_t*, const float*, const MatrixView&, const Panel&, float*,
                          int64_t);
using Int16Tile = void (*)(const int16_t*, const float*, const MatrixView&, const Panel&, float*,
                           int64_t);
#define HEED_TILES(rows) \
  { nullptr, rows<1>, rows<2>, rows<3>, rows<4>, rows<5>, rows<6> HEED_MORE_TILES(rows) }
#if HEED_TILE_ROWS == 12
#define HEED_MORE_TILES(rows) , rows<7>, rows<8>, rows<9>, rows<10>, rows<11>, rows<12>
#elif HEED_TILE_ROWS == 6
#define HEED_MORE_TILES(rows)
#endif
constexpr FloatTile kFloatTiles[] = HEED_TILES(float_rows);
constexpr Bf16Tile kBf16Tiles[] = HEED_TILES(bf16_rows);
constexpr Int8Tile kInt8Tiles[] = HEED_TILES(int8_rows);
constexpr Int16Tile kInt16Tiles[] = HEED_TILES(int16_rows);

// The panels of a packed matrix, one behind the other.
struct Panels {
  const void* begin;
  int64_t count, bytes;  // bytes: of a panel

  // For tile `tile` of `tiles`, which share the next panel among them; the last panel, nothing new.
  // A single tile reads its panel too fast to fetch all of the next: what it wants itself soon.
  Panel at(int64_t panel, int64_t tile, int64_t tiles) const {
    constexpr int64_t kSoon = 8192;  // bytes
    const char* own = static_cast<const char*>(begin) + panel * bytes;
    const int64_t column = panel * kColumns;
    if (tiles == 1) return {column, own, own + kSoon, kPanelStep};
    const int64_t step = (kPanelStep + tiles - 1) / tiles;
    const char* next = panel + 1 < count ? own + bytes : own;
    return {column, own, next + tile * (bytes / kPanelStep) * step, step};
  }
};

inline Panels panels_of(const MatrixView& w, const void* weights, int64_t bytes_of_output) {
  return {weights, whole_panels(w.outputs) / kColumns, kColumns * bytes_of_output};
}

// Calls tile(panel, first row, rows) for tiles of nearly equal height, kHeight at most, panel by
// panel: a panel stays in the L1 cache, the rows of a block in L2.
template <int kHeight = kTileRows, class Tile>
inline void in_tiles(int64_t rows, const Panels& panels, const Tile& tile) {
  constexpr int64_t kBlock = 8 * kTileRows;
  for (int64_t block = 0; block < rows; block += kBlock) {
    const int64_t count = least(kBlock, rows - block);
    const int64_t tiles = (count + kHeight - 1) / kHeight;
    for (int64_t p = 0; p < panels.count; ++p) {
      for (int64_t i = 0; i < tiles; ++i) {
        const int64_t first = i * count / tiles, end = (i + 1) * count / tiles;
        tile(panels.at(p, i, tiles), block + first, end - first);
      }
    }
  }
}

void product(const float* x, int64_t rows, int64_t stride, const MatrixView& w, float* y,
             int64_t y_stride) {
  in_tiles(rows, panels_of(w, w.floats, 4 * w.inputs),
           [&](const Panel& panel, int64_t first, int64_t count) {
             kFloatTiles[count](x + first * stride, stride, w, panel, y + first * y_stride,
                                y_stride);
           });
}

// kPanels panels side by side, since the additions of a single one depend on each other.
template <int kPanels>
inline void row_of_panels(const float* x, const MatrixView& w, const int32_t* panels, float* y) {
  const char* own[kPanels];
  Floats sums[kPanels][kVectors] = {};
  for (int p = 0; p < kPanels; ++p)
    own[p] = reinterpret_cast<const char*>(w.floats + panels[p] * kColumns * w.inputs);
  for (int64_t i = 0, at = 0; i < w.inputs; ++i, at += kPanelStep) {
    int32_t bits;
    __builtin_memcpy(&bits, x + i, 4);
#pragma GCC unroll 4
    for (int p = 0; p < kPanels; ++p) {
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v)
        sums[p][v] = add_product(sums[p][v], bits, load<Ints>(own[p] + at + v * sizeof(Ints)));
    }
  }
  for (int p = 0; p < kPanels; ++p, y += kColumns) {
    const int64_t column = panels[p] * kColumns, count = least(kColumns, w.outputs - column);
    for (int v = 0; v < kVectors; ++v) store(y + v * kLanes, sums[p][v]);
    for (int64_t c = 0; w.bias != nullptr && c < count; ++c) y[c] += w.bias[column + c];
  }
}

void product_of_panels(const float* x, const MatrixView& w, const int32_t* panels, int64_t count,
                       float* y) {
  constexpr int kPanelsTogether = 4;
  int64_t p = 0;
  for (; p + kPanelsTogether <= count; p += kPanelsTogether)
    row_of_panels<kPanelsTogether>(x, w, panels + p, y + p * kColumns);
  for (; p < count; ++p) row_of_panels<1>(x, w, panels + p, y + p * kColumns);
}

void product_bf16(const uint16_t* x, int64_t rows, int64_t stride, const MatrixView& w, float* y,
                  int64_t y_stride) {
  in_tiles(rows, panels_of(w, w.halves, 2 * w.depth),
           [&](const Panel& panel, int64_t first, int64_t count) {
             kBf16Tiles[count](x + first * stride, stride, w, panel, y + first * y_stride,
                               y_stride);
           });
}

void product_int8(const QuantizedRows& x, int64_t rows, const MatrixView& w, float* y,
                  int64_t y_stride) {
  in_tiles<kInt8TileRows>(rows, panels_of(w, w.bytes, w.depth),
                          [&](const Panel& panel, int64_t first, int64_t count) {
                            kInt8Tiles[count](x.bytes + first * w.depth, x.scales + first, w, panel,
                                              y + first * y_stride, y_stride);
                          });
}

void product_int16(const Int16Rows& x, int64_t rows, const MatrixView& w, float* y,
                   int64_t y_stride) {
  in_tiles(rows, panels_of(w, w.shorts, 2 * w.depth),
           [&](const Panel& panel, int64_t first, int64_t count) {
             kInt16Tiles[count](x.shorts + first * w.depth, x.scales + first, w, panel,
                                y + first * y_stride, y_stride);
           });
}

// Calls vector(i) for whole vectors and one(i) for the remaining elements.
template <class Vector, class One>
inline void along(int64_t count, const Vector& vector, const One& one) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) vector(i);
  for (; i < count; ++i) one(i);
}

// To the nearest, ties to even.
inline Ints bf16_bits(Floats x) {
  const Ints bits = reinterpret_cast<Ints>(x);
  const Ints rounded_bits = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
  return x != x ? all(int32_t{0x7FC0}) : rounded_bits;
}

inline void store_bf16(uint16_t* to, Floats x) {
  store(to, __builtin_convertvector(bf16_bits(x), Halves));
}
inline uint16_t bf16_of(float x) { return static_cast<uint16_t>(bf16_bits(all(x))[0]); }

void round_bf16(const float* x, int64_t rows, int64_t width, int64_t depth, uint16_t* to) {
  for (int64_t r = 0; r < rows; ++r, x += width, to += depth) {
    along(
        width, [&](int64_t i) { store_bf16(to + i, load<Floats>(x + i)); },
        [&](int64_t i) { to[i] = bf16_of(x[i]); });
    for (int64_t i = width; i < depth; ++i) to[i] = 0;
  }
}

// Columns in groups of whole vectors, whose sums stay in registers.
void round_and_sum(const float* x, int64_t rows, int64_t width, uint16_t* to, float* sums) {
  constexpr int kWide = 4;
  int64_t begin = 0;
  for (; begin + kWide * kLanes <= width; begin += kWide * kLanes) {
    Floats totals[kWide] = {};
    for (int64_t r = 0; r < rows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kWide; ++v) {
        const int64_t at = r * width + begin + v * kLanes;
        const Floats values = load<Floats>(x + at);
        totals[v] += values;
        store_bf16(to + at, values);
      }
    }
    for (int v = 0; v < kWide; ++v) {
      float* sum = sums + begin + v * kLanes;
      store(sum, load<Floats>(sum) + totals[v]);
    }
  }
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = begin; i < width; ++i) {
      to[r * width + i] = bf16_of(x[r * width + i]);
      sums[i] += x[r * width + i];
    }
  }
}

// The largest magnitude of a row; NaN if a value is not finite.
inline float largest_magnitude(const float* x, int64_t count) {
  Floats most = {};
  Ints odd = {};  // where a value is NaN
  float largest = 0;
  along(
      count,
      [&](int64_t i) {
        const Floats v = load<Floats>(x + i);
        most = greater(greater(v, -v), most);
        odd |= v != v;
      },
      [&](int64_t i) {
        const float v = x[i] < 0 ? -x[i] : x[i];
        largest = v > largest || v != v ? v : largest;
      });
  const float of_vectors = greatest_of(most);
  largest = of_vectors > largest ? of_vectors : largest;
  int32_t any = 0;
  for (int lane = 0; lane < kLanes; ++lane) any |= odd[lane];
  return any == 0 && largest < __builtin_inff() ? largest : __builtin_nanf("");
}

// A magnitude, NaN if a value of a row is not finite, and the number of steps that it is rounded to.
struct Steps {
  float magnitude, count;
};
// Rounds each row to integers T by steps_of(row, width), and adds kZero to each of them.
template <class T, int kZero, class StepsOf>
inline void quantize_rows(const float* x, int64_t rows, int64_t stride, int64_t width,
                          int64_t depth, T* to, float* scales, const StepsOf& steps_of) {
  typedef T Integers __attribute__((vector_size(kLanes * sizeof(T))));
  for (int64_t r = 0; r < rows; ++r, to += depth) {
    const float* row = x + r * stride;
    const Steps steps = steps_of(row, width);
    const bool is_zero = !(steps.magnitude > kSmallestQuantized);  // or not finite
    const float scale = is_zero ? 0 : steps.count / steps.magnitude;
    scales[r] = steps.magnitude != steps.magnitude ? steps.magnitude
                : is_zero                          ? 0
                                                   : steps.magnitude / steps.count;
    for (int64_t i = is_zero ? 0 : width; i < depth; ++i) to[i] = kZero;
    if (is_zero) continue;
    along(
        width,
        [&](int64_t i) {
          const Ints q = __builtin_convertvector(rounded(load<Floats>(row + i) * scale), Ints);
          store(to + i, __builtin_convertvector(q + kZero, Integers));
        },
        [&](int64_t i) {
          const auto q = static_cast<int32_t>(rounded(all(row[i] * scale))[0]);
          to[i] = static_cast<T>(q + kZero);
        });
  }
}

void quantize(const float* x, int64_t rows, int64_t stride, int64_t width, int64_t depth,
              const QuantizedRows& to) {
  quantize_rows<uint8_t, 128>(x, rows, stride, width, depth, to.bytes, to.scales,
                              [](const float* row, int64_t count) -> Steps {
                                return {largest_magnitude(row, count), 127};
                              });
}

#if defined(HEED_ADDS_IN_32_BITS)
constexpr auto quantize_weights = quantize;
#else
// The largest sum of the positive or of the negative of the four weights whose products sum_bytes()
// adds in 16 bits: 0, 1, 4 and 5, or 2, 3, 6 and 7, of each eight.
inline float largest_sum_of_four(const float* x, int64_t count) {
#if HEED_LANES == 16
  constexpr Ints kOdd = {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14},
                 kNext = {4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11};
#else
  constexpr Ints kOdd = {1, 0, 3, 2, 5, 4, 7, 6}, kNext = {4, 5, 6, 7, 0, 1, 2, 3};
#endif
  Floats most = {};
  const auto note = [&](Floats positive) {
    const Floats pairs = positive + shuffled(positive, kOdd);
    most = greater(pairs + shuffled(pairs, kNext), most);
  };
  const auto note_both = [&](Floats v) {
    note(greater(v, Floats{}));
    note(greater(-v, Floats{}));
  };
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) note_both(load<Floats>(x + i));
  Floats last = {};
  for (int64_t lane = 0; i + lane < count; ++lane) last[lane] = x[i + lane];
  note_both(last);
  return greatest_of(most);
}

// Four weights of one sign have a sum of 128 at most, so that 255 times their sum is below 2^15.
void quantize_weights(const float* x, int64_t rows, int64_t stride, int64_t width, int64_t depth,
                      const QuantizedRows& to) {
  constexpr float kShare = 127 / 126.4F;  // rounding adds up to 2 to a sum
  quantize_rows<uint8_t, 128>(x, rows, stride, width, depth, to.bytes, to.scales,
                              [](const float* row, int64_t count) -> Steps {
                                const float largest = largest_magnitude(row, count),
                                            sum = largest_sum_of_four(row, count);
                                return {kShare * sum > largest ? kShare * sum : largest, 127};
                              });
}
#endif

// The norm of x / largest.
inline float norm_of_shares(const float* x, int64_t count, float largest) {
  const float scale = 1 / largest;
  Floats squares = {};
  float rest = 0;
  along(
      count,
      [&](int64_t i) {
        const Floats share = load<Floats>(x + i) * scale;
        squares += share * share;
      },
      [&](int64_t i) { rest += x[i] * scale * (x[i] * scale); });
  return __builtin_sqrtf(sum_of(squares) + rest);
}

void quantize_int16(const float* x, int64_t rows, int64_t stride, int64_t width, int64_t depth,
                    const Int16Rows& to) {
  constexpr float kMost = 32'767;
  quantize_rows<int16_t, 0>(x, rows, stride, width, depth, to.shorts, to.scales,
                            [](const float* row, int64_t count) -> Steps {
                              const float largest = largest_magnitude(row, count),
                                          by_norm =
                                              kNormInt16 / norm_of_shares(row, count, largest);
                              return {largest, by_norm < kMost ? by_norm : kMost};
                            });
}

void add(const float* x, int64_t count, float* y) {
  along(
      count, [&](int64_t i) { store(y + i, load<Floats>(y + i) + load<Floats>(x + i)); },
      [&](int64_t i) { y[i] += x[i]; });
}

// NaN stays NaN.
void relu(float* x, int64_t count) {
  along(
      count,
      [&](int64_t i) {
        const Floats v = load<Floats>(x + i);
        store(x + i, v < Floats{} ? Floats{} : v);
      },
      [&](int64_t i) { x[i] = x[i] < 0 ? 0 : x[i]; });
}

inline float exp_of_one(float x) { return exp_of(all(x))[0]; }

void silu_times(const float* gate, int64_t count, float* x) {
  along(
      count,
      [&](int64_t i) {
        const Floats g = load<Floats>(gate + i);
        store(x + i, load<Floats>(x + i) * g / (exp_of(-g) + 1.0F));
      },
      [&](int64_t i) { x[i] *= gate[i] / (exp_of_one(-gate[i]) + 1); });
}

float greatest(const float* x, int64_t count) {
  float best = x[0];
  if (count >= kLanes) {
    Floats most = load<Floats>(x);
    int64_t i = kLanes;
    for (; i + kLanes <= count; i += kLanes) most = greater(load<Floats>(x + i), most);
    most = greater(load<Floats>(x + count - kLanes), most);
    return greatest_of(most);
  }
  for (int64_t i = 1; i < count; ++i) best = x[i] > best ? x[i] : best;
  return best;
}

// Softmax of `count` scores in a buffer of whole vectors; the elements behind them become 0.
inline void softmax(float* x, int64_t count) {
  const int64_t padded = whole_vectors(count);
  for (int64_t i = count; i < padded; ++i) x[i] = -__builtin_inff();
  Floats most = load<Floats>(x);
  for (int64_t i = kLanes; i < padded; i += kLanes) most = greater(load<Floats>(x + i), most);
  const float greatest = greatest_of(most);
  Floats sums = {};
  for (int64_t i = 0; i < padded; i += kLanes) {
    const Floats e = exp_of(load<Floats>(x + i) - greatest);
    store(x + i, e);
    sums += e;
  }
  const float scale = 1 / sum_of(sums);
  for (int64_t i = 0; i < padded; i += kLanes) store(x + i, load<Floats>(x + i) * scale);
}

float log_sum_exp(const float* x, int64_t count) {
  const float most = greatest(x, count);
  if (!(most - most == 0)) return most;  // infinite or not a number
  Floats sums = {};
  float sum = 0;
  along(
      count, [&](int64_t i) { sums += exp_of(load<Floats>(x + i) - most); },
      [&](int64_t i) { sum += exp_of_one(x[i] - most); });
  return most + __builtin_logf(sum + sum_of(sums));
}

void greatest_of_panels(const float* x, int64_t count, float* to) {
  for (int64_t i = 0; i < count; i += kColumns) *to++ = greatest(x + i, least(kColumns, count - i));
}

void top_k(const float* x, int64_t count, int64_t wanted, float* values, int32_t* ids) {
  for (int64_t i = 0; i < wanted; ++i) {
    values[i] = -__builtin_inff();
    ids[i] = -1;
  }
  constexpr int64_t kBlock = 8 * kLanes;  // most blocks have no better value and are skipped
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t end = least(count, begin + kBlock);
    if (!(greatest(x + begin, end - begin) > values[wanted - 1])) continue;
    for (int64_t i = begin; i < end; ++i) {
      if (!(x[i] > values[wanted - 1])) continue;
      int64_t rank = wanted - 1;
      for (; rank > 0 && values[rank - 1] < x[i]; --rank) {
        values[rank] = values[rank - 1];
        ids[rank] = ids[rank - 1];
      }
      values[rank] = x[i];
      ids[rank] = static_cast<int32_t>(i);
    }
  }
}

// Queries of a head that read its keys and values together; a query alone has the same sums.
constexpr int kTogether = kLanes == 16 ? 4 : 2;
static_assert(kTogether <= kQueriesTogether);

// Numbers of float32 or bfloat16 as float32.
inline Floats floats_at(const float* x) { return load<Floats>(x); }
inline Floats floats_at(const uint16_t* x) {
#if HEED_LANES == 16
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
  return reinterpret_cast<Floats>(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
#else
  return reinterpret_cast<Floats>(__builtin_convertvector(load<Halves>(x), Ints) << 16);
#endif
}
inline float float_at(const float* x) { return *x; }
inline float float_at(const uint16_t* x) {
  const uint32_t bits = static_cast<uint32_t>(*x) << 16;
  float value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

// Scores of queries of a head, rows of keys padded to whole vectors, and the contexts that they give.
struct ScoredQueries {
  float* scores;
  int64_t score_stride;
  float* context;
  int64_t context_stride;
};

// The context of each query, Σ_i scores[i] row(i), in kWidth vectors from `begin` on.
template <int kQueries, int kWidth, class Row>
inline void weighted_vectors(const ScoredQueries& of, int64_t count, int64_t begin,
                             const Row& row) {
  Floats sums[kQueries][kWidth] = {};
  for (int64_t i = 0; i < count; ++i) {
    const auto* x = row(i) + begin;
    Floats values[kWidth];
#pragma GCC unroll 4
    for (int v = 0; v < kWidth; ++v) values[v] = floats_at(x + v * kLanes);
#pragma GCC unroll 4
    for (int q = 0; q < kQueries; ++q) {
      const Floats weight = all(of.scores[q * of.score_stride + i]);
#pragma GCC unroll 4
      for (int v = 0; v < kWidth; ++v) sums[q][v] += values[v] * weight;
    }
  }
  for (int q = 0; q < kQueries; ++q) {
    float* context = of.context + q * of.context_stride + begin;
    for (int v = 0; v < kWidth; ++v) store(context + v * kLanes, sums[q][v]);
  }
}

// Softmax of `count` scores of each query, in place, and the sum of rows of `width` elements by these
// weights.
template <int kQueries, class Row>
inline void weigh_rows(const ScoredQueries& of, int64_t count, int64_t width, const Row& row) {
  for (int q = 0; q < kQueries; ++q) softmax(of.scores + q * of.score_stride, count);
  int64_t begin = 0;
  for (; begin + 4 * kLanes <= width; begin += 4 * kLanes)
    weighted_vectors<kQueries, 4>(of, count, begin, row);
  for (; begin + 2 * kLanes <= width; begin += 2 * kLanes)
    weighted_vectors<kQueries, 2>(of, count, begin, row);
  for (; begin + kLanes <= width; begin += kLanes)
    weighted_vectors<kQueries, 1>(of, count, begin, row);
  for (; begin < width; ++begin) {
    for (int q = 0; q < kQueries; ++q) {
      float sum = 0;
      for (int64_t i = 0; i < count; ++i)
        sum += float_at(row(i) + begin) * of.scores[q * of.score_stride + i];
      of.context[q * of.context_stride + begin] = sum;
    }
  }
}

void weigh(float* scores, int64_t count, const float* values, int64_t stride, int64_t width,
           float* context) {
  weigh_rows<1>({scores, 0, context, 0}, count, width,
                [&](int64_t s) { return values + s * stride; });
}

// Scores of queries of one head and kWide vectors of its keys from s on, in two sums, of even and of
// odd elements, which round less than one.
template <int kQueries, int kWide, class Key>
inline void score_keys(const AttentionView& view, const float* query, const Key* keys, int64_t s) {
  Floats sums[2][kQueries][kWide] = {};
  const auto add = [&](int64_t d, int parity) {
#pragma GCC unroll 2
    for (int v = 0; v < kWide; ++v) {
      const Floats key = floats_at(keys + d * view.padded + s + v * kLanes);
#pragma GCC unroll 4
      for (int q = 0; q < kQueries; ++q)
        sums[parity][q][v] += key * query[q * view.query_stride + d];
    }
  };
  int64_t d = 0;
  for (; d + 2 <= view.width; d += 2) {
    add(d, 0);
    add(d + 1, 1);
  }
  if (d < view.width) add(d, 0);
  for (int q = 0; q < kQueries; ++q) {
    for (int v = 0; v < kWide; ++v)
      store(view.scores + q * view.padded + s + v * kLanes, sums[0][q][v] + sums[1][q][v]);
  }
}

// all_keys, all_values: those of the view, in its format.
template <int kQueries, class Key>
void attend_queries(const AttentionView& view, const Key* all_keys, const Key* all_values,
                    int64_t head, int64_t first) {
  const float* query = view.queries + first * view.query_stride + head * view.width;
  const Key* keys = all_keys + head * view.width * view.padded;
  const Key* values = all_values + head * view.value_width;
  float* context = view.context + first * view.context_stride + head * view.value_width;
  int64_t s = 0;
  for (; s + 2 * kLanes <= view.padded; s += 2 * kLanes)
    score_keys<kQueries, 2>(view, query, keys, s);
  if (s < view.padded) score_keys<kQueries, 1>(view, query, keys, s);
  weigh_rows<kQueries>({view.scores, view.padded, context, view.context_stride}, view.key_count,
                       view.value_width, [&](int64_t k) { return values + k * view.value_stride; });
  for (int q = 0; view.mean != nullptr && q < kQueries; ++q) {
    float* mean = view.mean + (first + q) * view.mean_stride;
    for (int64_t k = 0; k < view.key_count; ++k)
      mean[k] += view.scores[q * view.padded + k] / static_cast<float>(view.heads);
  }
}

template <class Key>
void attend_heads(const AttentionView& view, const Key* keys, const Key* values) {
  for (int64_t head = 0; head < view.heads; ++head) {
    int64_t first = 0;
    for (; first + kTogether <= view.query_count; first += kTogether)
      attend_queries<kTogether>(view, keys, values, head, first);
    for (; first < view.query_count; ++first) attend_queries<1>(view, keys, values, head, first);
  }
}

void attend(const AttentionView& view) {
  if (view.keys.halves != nullptr) return attend_heads(view, view.keys.halves, view.values.halves);
  attend_heads(view, view.keys.floats, view.values.floats);
}

template <class Key>
inline float dot(const Key* x, const float* y, int64_t count) {
  Floats sums = {};
  float sum = 0;
  along(
      count, [&](int64_t d) { sums += floats_at(x + d) * load<Floats>(y + d); },
      [&](int64_t d) { sum += float_at(x + d) * y[d]; });
  return sum + sum_of(sums);
}

template <class Key>
void attend_slots(const PastView& view, const Key* keys, const Key* values) {
  const int64_t all_heads = view.heads * view.width;
  for (int64_t h = 0; h < view.heads; ++h) {
    const int64_t begin = h * view.width;
    for (int64_t i = 0; i < view.count; ++i)
      view.scores[i] =
          dot(keys + view.slots[i] * all_heads + begin, view.query + begin, view.width);
    weigh_rows<1>({view.scores, 0, view.context + begin, 0}, view.count, view.width,
                  [&](int64_t i) { return values + view.slots[i] * all_heads + begin; });
  }
}

void attend_past(const PastView& view) {
  if (view.keys.halves != nullptr) return attend_slots(view, view.keys.halves, view.values.halves);
  attend_slots(view, view.keys.floats, view.values.floats);
}

}  // namespace
}  // namespace heed
