// Kernels in the vector extension of the compiler, included by the file of each instruction set,
// which defines HEED_LANES (floats per vector), HEED_TILE_ROWS (rows of a register tile of a
// product) and, where the set has them, HEED_ADD_BYTES and HEED_ADD_SHORTS (the intrinsics that add
// the products of four unsigned and four signed bytes, and of two pairs of 16-bit integers, to each
// lane of a sum), or instructions of ARM: HEED_DOT_PRODUCTS (SDOT), HEED_MATRIX_PRODUCTS (SMMLA as
// well), HEED_BF16_PRODUCTS (BFDOT and BFMMLA).
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
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#include "kernels/kernels.h"

namespace heed {
namespace {

constexpr int kLanes = HEED_LANES;
constexpr int kTileRows = HEED_TILE_ROWS;
#if defined(__aarch64__)
constexpr int kVectors = 4;  // of a tile; there are 32 registers
#else
constexpr int kVectors = 2;
#endif
constexpr int kColumns = kVectors * kLanes;
constexpr int kPanelVectors = kPanelColumns / kLanes;
constexpr int kStrips = kPanelColumns / kColumns;  // of a panel, each as wide as a tile
#if defined(HEED_DOT_PRODUCTS)
constexpr bool kHasFastInt8 = true;
#else
constexpr bool kHasFastInt8 = HEED_LANES > 4;
#endif

typedef float Floats __attribute__((vector_size(kLanes * 4)));
typedef int32_t Ints __attribute__((vector_size(kLanes * 4)));
typedef uint16_t Halves __attribute__((vector_size(kLanes * 2)));
#if HEED_LANES == 16
typedef __m512i Register;
#elif HEED_LANES == 8
typedef __m256i Register;
#elif defined(__x86_64__)
typedef __m128i Register;
#elif defined(__wasm_simd128__)
typedef v128_t Register;
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
// Elements of the vectors, or tiles, that hold `count` elements.
inline int64_t whole_vectors(int64_t count) { return (count + kLanes - 1) / kLanes * kLanes; }
inline int64_t whole_tiles(int64_t count) { return (count + kColumns - 1) / kColumns * kColumns; }
inline Floats greater(Floats a, Floats b) { return a > b ? a : b; }

// a · b + c, rounded once where the set can: explicit, so that every compiler fuses the same products.
inline Floats fused(Floats a, Floats b, Floats c) {
#if HEED_LANES == 16
  return reinterpret_cast<Floats>(_mm512_fmadd_ps(
      reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
#elif HEED_LANES == 8
  return reinterpret_cast<Floats>(_mm256_fmadd_ps(
      reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
#elif defined(__aarch64__)
  return reinterpret_cast<Floats>(vfmaq_f32(reinterpret_cast<float32x4_t>(c),
                                            reinterpret_cast<float32x4_t>(a),
                                            reinterpret_cast<float32x4_t>(b)));
#elif defined(__wasm_relaxed_simd__)  // fused by the engines on every processor that can
  return reinterpret_cast<Floats>(wasm_f32x4_relaxed_madd(
      reinterpret_cast<v128_t>(a), reinterpret_cast<v128_t>(b), reinterpret_cast<v128_t>(c)));
#else
  return a * b + c;
#endif
}
inline float fused(float a, float b, float c) {
#if HEED_LANES > 4 || defined(__aarch64__)
  return __builtin_fmaf(a, b, c);
#else
  return fused(all(a), all(b), all(c))[0];
#endif
}

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

// Lane i of the first half is added to lane i of the second half, then the same of that half.
inline float sum_of(Floats v) {
#if HEED_LANES == 16
  return _mm512_reduce_add_ps(reinterpret_cast<__m512>(v));
#else
#if HEED_LANES == 8
  v += shuffled(v, Ints{4, 5, 6, 7, 0, 1, 2, 3});
  v += shuffled(v, Ints{2, 3, 0, 1, 6, 7, 4, 5});
#else
  v += shuffled(v, Ints{2, 3, 0, 1});
#endif
  return v[0] + v[1];
#endif
}
// The sum over whole groups of kSumLanes elements, in as many lanes, to which add(sum, i) adds, and over
// the remaining elements by add_one(sum, i).
template <class Add, class AddOne>
inline float sum_along(int64_t count, const Add& add, const AddOne& add_one) {
  constexpr int kWide = kSumLanes / kLanes;
  Floats sums[kWide] = {};
  float rest = 0;
  int64_t i = 0;
  for (; i + kSumLanes <= count; i += kSumLanes) {
#pragma GCC unroll 4
    for (int v = 0; v < kWide; ++v) sums[v] = add(sums[v], i + v * kLanes);
  }
  for (; i < count; ++i) rest = add_one(rest, i);
  for (int half = kWide / 2; half > 0; half /= 2) {
    for (int v = 0; v < half; ++v) sums[v] += sums[v + half];
  }
  return rest + sum_of(sums[0]);
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

// x · factor, rounded to the nearest once, below 2^22.
inline Floats rounded_product(Floats x, Floats factor) {
  const Floats magic = all(12582912.0F);  // 1.5 · 2^23
  return fused(x, factor, magic) - magic;
}

// e^x by e^x = 2^n e^r, |r| <= ln 2 / 2, and a polynomial in r (Cephes, expf): relative error 2e-7.
// 0 below -87.
inline Floats exp_of(Floats x) {
  const Floats low = all(-87.33F), high = all(88.37F);
  const Ints zero = x < low;
  x = x < low ? low : x;
  x = x > high ? high : x;
  const Floats n = rounded_product(x, all(1.44269504088896341F));
  const Floats r = fused(n, all(2.12194440e-4F), fused(n, all(-0.693359375F), x));
  Floats p = all(1.9875691500E-4F);
  for (const float term :
       {1.3981999507E-3F, 8.3334519073E-3F, 4.1665795894E-2F, 1.6666665459E-1F, 5.0000001201E-1F})
    p = fused(p, r, all(term));
  p = fused(p, r * r, r) + 1.0F;
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
#elif defined(HEED_BF16_PRODUCTS)
  return reinterpret_cast<Floats>(vbfdotq_f32(reinterpret_cast<float32x4_t>(sum),
                                              reinterpret_cast<bfloat16x8_t>(all(pair)),
                                              reinterpret_cast<bfloat16x8_t>(pairs)));
#else
  constexpr int32_t kHigh = static_cast<int32_t>(0xFFFF0000U);
  sum =
      fused(reinterpret_cast<Floats>(all(pair << 16)), reinterpret_cast<Floats>(pairs << 16), sum);
  return fused(reinterpret_cast<Floats>(all(pair & kHigh)),
               reinterpret_cast<Floats>(pairs & all(kHigh)), sum);
#endif
}

// Adds the product of a float, given by its bits, and the floats of each lane to `sum`.
inline Floats add_product(Floats sum, int32_t bits, Ints floats) {
  return fused(reinterpret_cast<Floats>(all(bits)), reinterpret_cast<Floats>(floats), sum);
}

// A strip of a panel (MatrixView), as wide as a tile, as one of its tiles reads it. Weights that no
// cache holds arrive while others are multiplied: each step of a tile prefetches two cache lines at
// `ahead`.
struct Strip {
  int64_t column;  // its first output
  const char* weights;
  const char* ahead;
  int64_t ahead_step;  // bytes from those of a step to those of the next
};
constexpr int64_t kPanelStep = 4 * kPanelColumns;  // bytes from a step of a panel to the next

// A register tile of a product: kRows rows by one strip. In every format four bytes of a row meet
// four bytes of each output: add(sum, those of the row, those of the outputs).
template <int kRows, class X, class Sum, class Add>
inline void sum_tile(const X* x, int64_t stride, const Strip& strip, int64_t depth, const Add& add,
                     Sum (&sums)[kRows][kVectors]) {
  constexpr int64_t kStep = 4 / sizeof(X);  // elements
  const char *own = strip.weights, *ahead = strip.ahead;
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) sums[r][v] = Sum{};
  }
  for (int64_t i = 0; i < depth; i += kStep, own += kPanelStep, ahead += strip.ahead_step) {
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + 64);
    Ints weights[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) weights[v] = load<Ints>(own + v * sizeof(Ints));
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      int32_t four;
      __builtin_memcpy(&four, x + r * stride + i, 4);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[r][v] = add(sums[r][v], four, weights[v]);
    }
  }
}

#if defined(HEED_MATRIX_PRODUCTS)
// The same by instructions that multiply two rows and two outputs, eight bytes of each: add(square of
// sums, those of the rows, those of the outputs). The row after an odd last one is the same again.
template <int kRows, class X, class Sum, class Add>
inline void sum_squares(const X* x, int64_t stride, const Strip& strip, int64_t depth,
                        const Add& add, Sum (&sums)[kRows][kVectors]) {
  typedef int64_t Rows __attribute__((vector_size(16)));
  constexpr int kPairs = (kRows + 1) / 2;
  Sum squares[kPairs][kVectors][2];
  for (auto& pair : squares) {
    for (auto& vector : pair) vector[0] = vector[1] = Sum{};
  }
  const char *own = strip.weights, *ahead = strip.ahead;
  // kBytes: 8, or 4 of the last step, which zeros follow
  const auto add_at = [&]<int kBytes>(int64_t i) {
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + 64);
    Rows rows[kPairs] = {};
#pragma GCC unroll 3
    for (int p = 0; p < kPairs; ++p) {
      int64_t even = 0, odd = 0;
      __builtin_memcpy(&even, x + 2 * p * stride + i, kBytes);
      __builtin_memcpy(&odd, x + (2 * p + 1 < kRows ? 2 * p + 1 : 2 * p) * stride + i, kBytes);
      rows[p] = Rows{even, odd};
    }
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const Ints first = load<Ints>(own + v * sizeof(Ints));
      const Ints second = kBytes == 8 ? load<Ints>(own + kPanelStep + v * sizeof(Ints)) : Ints{};
      const Ints low = __builtin_shufflevector(first, second, 0, 4, 1, 5),
                 high = __builtin_shufflevector(first, second, 2, 6, 3, 7);
#pragma GCC unroll 3
      for (int p = 0; p < kPairs; ++p) {
        squares[p][v][0] = add(squares[p][v][0], reinterpret_cast<Ints>(rows[p]), low);
        squares[p][v][1] = add(squares[p][v][1], reinterpret_cast<Ints>(rows[p]), high);
      }
    }
  };
  constexpr int64_t kStep = 8 / sizeof(X);  // elements
  int64_t i = 0;
  for (; i + kStep <= depth; i += kStep, own += 2 * kPanelStep, ahead += 2 * strip.ahead_step)
    add_at.template operator()<8>(i);
  if (i < depth) add_at.template operator()<4>(i);
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      const Sum(&square)[2] = squares[r / 2][v];
      sums[r][v] = r % 2 == 0 ? __builtin_shufflevector(square[0], square[1], 0, 1, 4, 5)
                              : __builtin_shufflevector(square[0], square[1], 2, 3, 6, 7);
    }
  }
}
#endif

template <int kRows>
inline void sum_halves(const uint16_t* x, int64_t stride, const Strip& strip, int64_t depth,
                       Floats (&sums)[kRows][kVectors]) {
#if defined(HEED_BF16_PRODUCTS)
  const auto add_square = [](Floats square, Ints rows, Ints outputs) {
    return reinterpret_cast<Floats>(vbfmmlaq_f32(reinterpret_cast<float32x4_t>(square),
                                                 reinterpret_cast<bfloat16x8_t>(rows),
                                                 reinterpret_cast<bfloat16x8_t>(outputs)));
  };
  if constexpr (kRows > 1) return sum_squares(x, stride, strip, depth, add_square, sums);
#endif
  sum_tile(x, stride, strip, depth, add_pairs, sums);
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

#if defined(__aarch64__)
#define HEED_SIGNED_BYTES
constexpr int kInt8TileRows = kTileRows;
constexpr int32_t kSigned = static_cast<int32_t>(0x80808080U);  // makes x - 128 of four bytes x
// Adds the products of four unsigned bytes, less 128, and four signed bytes in each lane to `sum`.
inline Ints add_bytes(Ints sum, int32_t unsigned_bytes, Ints signed_bytes) {
  const auto x = reinterpret_cast<int8x16_t>(all(unsigned_bytes ^ kSigned)),
             w = reinterpret_cast<int8x16_t>(signed_bytes);
#if defined(HEED_DOT_PRODUCTS)
  return reinterpret_cast<Ints>(vdotq_s32(reinterpret_cast<int32x4_t>(sum), x, w));
#else  // two products, of magnitudes up to 127, fit into 16 bits
  const int16x8_t pairs = vpaddq_s16(vmull_s8(vget_low_s8(x), vget_low_s8(w)), vmull_high_s8(x, w));
  return reinterpret_cast<Ints>(vpadalq_s16(reinterpret_cast<int32x4_t>(sum), pairs));
#endif
}
template <int kRows>
inline void sum_bytes(const uint8_t* x, const Strip& strip, int64_t depth,
                      Ints (&sums)[kRows][kVectors]) {
#if defined(HEED_MATRIX_PRODUCTS)
  const auto add_square = [](Ints square, Ints rows, Ints outputs) {
    return reinterpret_cast<Ints>(vmmlaq_s32(reinterpret_cast<int32x4_t>(square),
                                             reinterpret_cast<int8x16_t>(rows ^ all(kSigned)),
                                             reinterpret_cast<int8x16_t>(outputs)));
  };
  if constexpr (kRows > 1) return sum_squares(x, depth, strip, depth, add_square, sums);
#endif
  sum_tile(x, depth, strip, depth, add_bytes, sums);
}
#elif defined(HEED_ADD_BYTES) || HEED_LANES == 4
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
inline void sum_bytes(const uint8_t* x, const Strip& strip, int64_t depth,
                      Ints (&sums)[kRows][kVectors]) {
  sum_tile<kRows>(x, depth, strip, depth, add_bytes, sums);
}
#else
#define HEED_SIGNED_BYTES
constexpr int kInt8TileRows = kTileRows;
// One factor, weights or a row, as magnitudes and signs. The instruction that multiplies an unsigned
// by a signed byte adds two products in 16 bits: magnitudes and values up to 127 fit into them.
// Nothing else that is exact was faster, such as products of 16 bits
// (docs/measurements/techniques.csv).
struct SignedBytes {
#if HEED_LANES == 16
  Register magnitudes;
  __mmask64 negative;
  explicit SignedBytes(Register bytes)
      : magnitudes(_mm512_abs_epi8(bytes)), negative(_mm512_movepi8_mask(bytes)) {}
  // Adds the products with four signed bytes in each lane of x to each lane of `sum`.
  Ints add_products(Ints sum, Register x) const {
    const Register signed_x = _mm512_mask_sub_epi8(x, negative, _mm512_setzero_si512(), x);
    const Register pairs = _mm512_maddubs_epi16(magnitudes, signed_x);
    return sum + reinterpret_cast<Ints>(_mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
  }
#else
  Register magnitudes, bytes;
  explicit SignedBytes(Register own) : magnitudes(_mm256_abs_epi8(own)), bytes(own) {}
  Ints add_products(Ints sum, Register x) const {
    const Register signed_x = _mm256_sign_epi8(x, bytes);
    const Register pairs = _mm256_maddubs_epi16(magnitudes, signed_x);
    return sum + reinterpret_cast<Ints>(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
  }
#endif
};
// The signed bytes x - 128. Intrinsics keep g++ from flipping the bits before it copies four bytes to
// every lane, which takes two instructions more.
inline Register less_128(Register x) {
#if HEED_LANES == 16
  return _mm512_xor_si512(x, _mm512_set1_epi8(-128));
#else
  return _mm256_xor_si256(x, _mm256_set1_epi8(-128));
#endif
}
// The sums of the signed bytes x - 128.
template <int kRows>
inline void sum_bytes(const uint8_t* x, const Strip& strip, int64_t depth,
                      Ints (&sums)[kRows][kVectors]) {
  const char *own = strip.weights, *ahead = strip.ahead;
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) sums[r][v] = Ints{};
  }
  for (int64_t i = 0; i < depth; i += 4, own += kPanelStep, ahead += strip.ahead_step) {
    __builtin_prefetch(ahead);
    const auto four_of = [&](int r) {
      int32_t four;
      __builtin_memcpy(&four, x + r * depth + i, 4);
      return less_128(reinterpret_cast<Register>(all(four)));
    };
    const Register weights[kVectors] = {load<Register>(own),
                                        load<Register>(own + sizeof(Register))};
    if constexpr (kRows == 1) {  // the magnitudes of one row instead of those of two vectors
      const SignedBytes row(four_of(0));
      for (int v = 0; v < kVectors; ++v) sums[0][v] = row.add_products(sums[0][v], weights[v]);
    } else {
      const SignedBytes signed_weights[kVectors] = {SignedBytes(weights[0]),
                                                    SignedBytes(weights[1])};
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const Register row = four_of(r);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
          sums[r][v] = signed_weights[v].add_products(sums[r][v], row);
      }
    }
  }
}
#endif

// Stores the first `count` lanes, all of them if there are more.
inline void store_part(float* to, Floats v, int64_t count) {
  if (count >= kLanes) {
    store(to, v);
  } else if (count > 0) {
    __builtin_memcpy(to, &v, static_cast<unsigned long>(4 * count));
  }
}

// The bias of an output and those behind it, which is filled up to whole panels.
inline Floats bias_of(const MatrixView& w, int64_t output) {
  return w.bias != nullptr ? load<Floats>(w.bias + output) : Floats{};
}

// Writes the sums [columns] of a row and a strip, plus the bias.
inline void write_sums(const Floats (&sums)[kVectors], const MatrixView& w, int64_t column,
                       float* y) {
  for (int v = 0; v < kVectors; ++v) {
    const int64_t c = column + v * kLanes;
    store_part(y + c, sums[v] + bias_of(w, c), w.outputs - c);
  }
}

template <int kRows>
void float_rows(const float* x, int64_t stride, const MatrixView& w, const Strip& strip, float* y,
                int64_t y_stride) {
  Floats sums[kRows][kVectors];
  sum_tile<kRows>(x, stride, strip, w.inputs, add_product, sums);
  for (int r = 0; r < kRows; ++r) write_sums(sums[r], w, strip.column, y + r * y_stride);
}

template <int kRows>
void bf16_rows(const uint16_t* x, int64_t stride, const MatrixView& w, const Strip& strip, float* y,
               int64_t y_stride) {
  Floats sums[kRows][kVectors];
  sum_halves(x, stride, strip, w.depth, sums);
  for (int r = 0; r < kRows; ++r) write_sums(sums[r], w, strip.column, y + r * y_stride);
}

// Writes sums of integers times the scales of their rows and outputs, plus the bias.
template <int kRows>
inline void write_scaled(const Ints (&sums)[kRows][kVectors], const float* scales,
                         const MatrixView& w, const Strip& strip, float* y, int64_t y_stride) {
  for (int v = 0; v < kVectors; ++v) {  // scales are filled up to whole panels
    const int64_t c = strip.column + v * kLanes, count = w.outputs - c;
    const Floats steps = load<Floats>(w.scales + c), bias = bias_of(w, c);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r)
      store_part(y + r * y_stride + c,
                 fused(__builtin_convertvector(sums[r][v], Floats) * steps, all(scales[r]), bias),
                 count);
  }
}

template <int kRows>
void int8_rows(const uint8_t* x, const float* scales, const MatrixView& w, const Strip& strip,
               float* y, int64_t y_stride) {
  Ints sums[kRows][kVectors];
  sum_bytes(x, strip, w.depth, sums);
#if !defined(HEED_SIGNED_BYTES)
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v)  // as filled up as the scales
      sums[r][v] -= load<Ints>(w.sums + strip.column + v * kLanes);
  }
#endif
  write_scaled(sums, scales, w, strip, y, y_stride);
}

template <int kRows>
void int16_rows(const int16_t* x, const float* scales, const MatrixView& w, const Strip& strip,
                float* y, int64_t y_stride) {
  Ints sums[kRows][kVectors];
  sum_tile<kRows>(x, w.depth, strip, w.depth, add_shorts, sums);
  write_scaled(sums, scales, w, strip, y, y_stride);
}

using FloatTile = void (*)(const float*, int64_t, const MatrixView&, const Strip&, float*, int64_t);
using Bf16Tile = void (*)(const uint16_t*, int64_t, const MatrixView&, const Strip&, float*,
                          int64_t);
using Int8Tile = void (*)(const uint8_t*, const float*, const MatrixView&, const Strip&, float*,
                          int64_t);
using Int16Tile = void (*)(const int16_t*, const float*, const MatrixView&, const Strip&, float*,
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

  // Strip `strip` of a panel for tile `tile` of `tiles`, which share a part of the next panel among
  // them; the last panel, nothing new. A single tile reads its strip too fast to fetch all of the
  // next: what it wants itself soon.
  Strip at(int64_t panel, int64_t strip, int64_t tile, int64_t tiles) const {
    constexpr int64_t kSoon = 8192, kStripStep = kPanelStep / kStrips;  // bytes
    const char* first = static_cast<const char*>(begin) + panel * bytes;
    const char* own = first + strip * kStripStep;
    const int64_t column = panel * kPanelColumns + strip * kColumns;
    if (tiles == 1) return {column, own, own + kSoon, kPanelStep};
    const int64_t step = (kStripStep + tiles - 1) / tiles;
    const char* next = (panel + 1 < count ? first + bytes : first) + strip * (bytes / kStrips);
    return {column, own, next + tile * (bytes / kPanelStep) * step, step};
  }
};

inline Panels panels_of(const MatrixView& w, const void* weights, int64_t bytes_of_output) {
  return {weights, (w.outputs + kPanelColumns - 1) / kPanelColumns,
          kPanelColumns * bytes_of_output};
}

// Calls tile(strip, first row, rows) for tiles of nearly equal height, kHeight at most, panel by
// panel: a panel stays in the L1 cache, the rows of a block in L2.
template <int kHeight = kTileRows, class Tile>
inline void in_tiles(int64_t rows, const Panels& panels, const Tile& tile) {
  constexpr int64_t kBlock = 8 * kTileRows;
  for (int64_t block = 0; block < rows; block += kBlock) {
    const int64_t count = least(kBlock, rows - block);
    const int64_t tiles = (count + kHeight - 1) / kHeight;
    for (int64_t p = 0; p < panels.count * kStrips; ++p) {
      for (int64_t i = 0; i < tiles; ++i) {
        const int64_t first = i * count / tiles, end = (i + 1) * count / tiles;
        tile(panels.at(p / kStrips, p % kStrips, i, tiles), block + first, end - first);
      }
    }
  }
}

void product(const float* x, int64_t rows, int64_t stride, const MatrixView& w, float* y,
             int64_t y_stride) {
  in_tiles(rows, panels_of(w, w.floats, 4 * w.inputs),
           [&](const Strip& strip, int64_t first, int64_t count) {
             kFloatTiles[count](x + first * stride, stride, w, strip, y + first * y_stride,
                                y_stride);
           });
}

// kPanels panels side by side, since the additions of a single one depend on each other.
template <int kPanels>
inline void row_of_panels(const float* x, const MatrixView& w, const int32_t* panels, float* y) {
  const char* own[kPanels];
  Floats sums[kPanels][kPanelVectors] = {};
  for (int p = 0; p < kPanels; ++p)
    own[p] = reinterpret_cast<const char*>(w.floats + panels[p] * kPanelColumns * w.inputs);
  for (int64_t i = 0, at = 0; i < w.inputs; ++i, at += kPanelStep) {
    int32_t bits;
    __builtin_memcpy(&bits, x + i, 4);
#pragma GCC unroll 4
    for (int p = 0; p < kPanels; ++p) {
#pragma GCC unroll 8
      for (int v = 0; v < kPanelVectors; ++v)
        sums[p][v] = add_product(sums[p][v], bits, load<Ints>(own[p] + at + v * sizeof(Ints)));
    }
  }
  for (int p = 0; p < kPanels; ++p, y += kPanelColumns) {
    const float* bias = w.bias == nullptr ? nullptr : w.bias + panels[p] * kPanelColumns;
    for (int v = 0; v < kPanelVectors; ++v) {
      const int64_t c = v * kLanes;
      store(y + c, bias == nullptr ? sums[p][v] : sums[p][v] + load<Floats>(bias + c));
    }
  }
}

void product_of_panels(const float* x, const MatrixView& w, const int32_t* panels, int64_t count,
                       float* y) {
  constexpr int kPanelsTogether = kLanes == 16 ? 4 : kLanes == 8 ? 2 : 1;
  int64_t p = 0;
  for (; p + kPanelsTogether <= count; p += kPanelsTogether)
    row_of_panels<kPanelsTogether>(x, w, panels + p, y + p * kPanelColumns);
  for (; p < count; ++p) row_of_panels<1>(x, w, panels + p, y + p * kPanelColumns);
}

void product_bf16(const uint16_t* x, int64_t rows, int64_t stride, const MatrixView& w, float* y,
                  int64_t y_stride) {
  in_tiles(rows, panels_of(w, w.halves, 2 * w.depth),
           [&](const Strip& strip, int64_t first, int64_t count) {
             kBf16Tiles[count](x + first * stride, stride, w, strip, y + first * y_stride,
                               y_stride);
           });
}

void product_int8(const QuantizedRows& x, int64_t rows, const MatrixView& w, float* y,
                  int64_t y_stride) {
  in_tiles<kInt8TileRows>(rows, panels_of(w, w.bytes, w.depth),
                          [&](const Strip& strip, int64_t first, int64_t count) {
                            kInt8Tiles[count](x.bytes + first * w.depth, x.scales + first, w, strip,
                                              y + first * y_stride, y_stride);
                          });
}

void product_int16(const Int16Rows& x, int64_t rows, const MatrixView& w, float* y,
                   int64_t y_stride) {
  in_tiles(rows, panels_of(w, w.shorts, 2 * w.depth),
           [&](const Strip& strip, int64_t first, int64_t count) {
             kInt16Tiles[count](x.shorts + first * w.depth, x.scales + first, w, strip,
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
          const Ints q =
              __builtin_convertvector(rounded_product(load<Floats>(row + i), all(scale)), Ints);
          store(to + i, __builtin_convertvector(q + kZero, Integers));
        },
        [&](int64_t i) {
          const auto q = static_cast<int32_t>(rounded_product(all(row[i]), all(scale))[0]);
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

// The norm of x / largest.
inline float norm_of_shares(const float* x, int64_t count, float largest) {
  const float scale = 1 / largest;
  const auto add_square = [](auto sum, auto share) { return fused(share, share, sum); };
  return __builtin_sqrtf(sum_along(
      count, [&](Floats sum, int64_t i) { return add_square(sum, load<Floats>(x + i) * scale); },
      [&](float sum, int64_t i) { return add_square(sum, x[i] * scale); }));
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
      [&](int64_t i) { x[i] = x[i] * gate[i] / (exp_of_one(-gate[i]) + 1); });
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

// Softmax of `count` scores in a buffer of whole groups of 16; the elements behind them become 0.
inline void softmax(float* x, int64_t count) {
  const int64_t padded = (count + kSumLanes - 1) / kSumLanes * kSumLanes;
  for (int64_t i = count; i < padded; ++i) x[i] = -__builtin_inff();
  Floats most = load<Floats>(x);
  for (int64_t i = kLanes; i < padded; i += kLanes) most = greater(load<Floats>(x + i), most);
  const float greatest = greatest_of(most);
  const float sum = sum_along(
      padded,
      [&](Floats total, int64_t i) {
        const Floats e = exp_of(load<Floats>(x + i) - greatest);
        store(x + i, e);
        return total + e;
      },
      [](float total, int64_t) { return total; });
  const float scale = 1 / sum;
  for (int64_t i = 0; i < padded; i += kLanes) store(x + i, load<Floats>(x + i) * scale);
}

float log_sum_exp(const float* x, int64_t count) {
  const float most = greatest(x, count);
  if (!(most - most == 0)) return most;  // infinite or not a number
  return most +
         __builtin_logf(sum_along(
             count, [&](Floats sum, int64_t i) { return sum + exp_of(load<Floats>(x + i) - most); },
             [&](float sum, int64_t i) { return sum + exp_of_one(x[i] - most); }));
}

void greatest_of_panels(const float* x, int64_t count, float* to) {
  for (int64_t i = 0; i < count; i += kPanelColumns)
    *to++ = greatest(x + i, least(kPanelColumns, count - i));
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
// The first `count` numbers, followed by zeros.
template <class Number>
inline Floats part_at(const Number* x, int64_t count) {
  Number part[kLanes] = {};
  __builtin_memcpy(part, x, static_cast<unsigned long>(count) * sizeof(Number));
  return floats_at(part);
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
      for (int v = 0; v < kWidth; ++v) sums[q][v] = fused(values[v], weight, sums[q][v]);
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
  if (begin == width) return;
  for (int q = 0; q < kQueries; ++q) {
    Floats sum = {};
    for (int64_t i = 0; i < count; ++i)
      sum = fused(part_at(row(i) + begin, width - begin), all(of.scores[q * of.score_stride + i]),
                  sum);
    store_part(of.context + q * of.context_stride + begin, sum, width - begin);
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
#pragma GCC unroll 4
    for (int v = 0; v < kWide; ++v) {
      const Floats key = floats_at(keys + d * view.padded + s + v * kLanes);
#pragma GCC unroll 4
      for (int q = 0; q < kQueries; ++q)
        sums[parity][q][v] = fused(key, all(query[q * view.query_stride + d]), sums[parity][q][v]);
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
  return sum_along(
      count,
      [&](Floats sum, int64_t d) { return fused(floats_at(x + d), load<Floats>(y + d), sum); },
      [&](float sum, int64_t d) { return fused(float_at(x + d), y[d], sum); });
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
