// Squares of kLanes vectors, and what is rearranged with them: right factors of products. Included
// after vector_loops.h.
#pragma once

#include <utility>

namespace heed {
namespace {

// Exchanges rows and columns: in the stage of each power of two, rows that differ in this bit of
// their number exchange the columns that differ in it.
template <int kStep, class Vector, int... kLane>
inline void exchange(Vector (&rows)[kLanes], std::integer_sequence<int, kLane...>) {
#pragma GCC unroll 16
  for (int r = 0; r < kLanes; ++r) {
    if ((r & kStep) != 0) continue;
    const Vector a = rows[r], b = rows[r + kStep];
    rows[r] =
        __builtin_shufflevector(a, b, ((kLane & kStep) != 0 ? kLanes + kLane - kStep : kLane)...);
    rows[r + kStep] =
        __builtin_shufflevector(a, b, ((kLane & kStep) != 0 ? kLanes + kLane : kLane + kStep)...);
  }
}
template <class Vector>
inline void transpose_square(Vector (&rows)[kLanes]) {
  constexpr std::make_integer_sequence<int, kLanes> lanes;
  exchange<1>(rows, lanes);
  exchange<2>(rows, lanes);
  if constexpr (kLanes > 4) exchange<4>(rows, lanes);
  if constexpr (kLanes > 8) exchange<8>(rows, lanes);
}

// The first `count` elements of two rows side by side, in pairs; the other pairs are 0.
inline Ints paired(const uint16_t* even, const uint16_t* odd, int64_t count) {
  if (count >= kLanes) {
    const Ints low = __builtin_convertvector(load<Halves>(even), Ints),
               high = __builtin_convertvector(load<Halves>(odd), Ints);
    return low | (high << 16);
  }
  Ints pairs = {};
  for (int64_t c = 0; c < count; ++c) pairs[c] = even[c] | odd[c] << 16;
  return pairs;
}

// The first `columns` of pairs of rows that lie one behind the other, as a panel. Both vectors of a row
// are of one cache line.
inline void pack_across(const uint16_t* b, int64_t depth, int64_t columns, int64_t row,
                        uint16_t* to) {
  for (int64_t i = 0; i < depth; i += 2, to += 2 * kPanelColumns) {
    const uint16_t* even = b + i * row;
    for (int64_t c = 0; c < kPanelColumns; c += kLanes)
      store(to + 2 * c, paired(even + c, even + row + c, columns - c));
  }
}

// Rows [first,first + kLanes) of words of four bytes, `stride` bytes apart, to [words][kLanes], with
// kPanelColumns between: kLanes rows by kLanes words are squares.
inline void pack_along(const char* rows, int64_t count, int64_t words, int64_t stride,
                       int64_t first, char* to) {
  for (int64_t i = 0; i < words; i += kLanes) {
    Ints square[kLanes];
    const int64_t wide = least(kLanes, words - i);
    for (int64_t r = 0; r < kLanes; ++r) {
      square[r] = Ints{};
      if (first + r >= count) continue;
      const char* from = rows + (first + r) * stride + 4 * i;
      if (wide == kLanes) {
        square[r] = load<Ints>(from);
      } else {
        __builtin_memcpy(&square[r], from, static_cast<unsigned long>(4 * wide));
      }
    }
    transpose_square(square);
    for (int64_t w = 0; w < wide; ++w) store(to + (i + w) * kPanelStep, square[w]);
  }
}

inline void pack_words(const void* rows, int64_t count, int64_t words, int64_t stride, void* to) {
  auto* panel = static_cast<char*>(to);
  for (int64_t first = 0; first < count; first += kPanelColumns, panel += words * kPanelStep) {
    for (int64_t v = 0; v < kPanelVectors; ++v)
      pack_along(static_cast<const char*>(rows), count, words, stride, first + v * kLanes,
                 panel + 4 * v * kLanes);
  }
}

void pack_rows(const void* rows, int64_t count, int64_t words, void* to) {
  pack_words(rows, count, words, 4 * words, to);
}

void pack_bf16(const uint16_t* b, int64_t depth, int64_t columns, int64_t row, int64_t column,
               uint16_t* to) {
  if (column != 1) return pack_words(b, columns, depth / 2, 2 * column, to);
  for (int64_t panel = 0; panel < columns; panel += kPanelColumns, to += depth * kPanelColumns)
    pack_across(b + panel, depth, columns - panel, row, to);
}

// `wide` columns of `pairs` pairs of rows, up to kLanes each: to [wide][rows]
inline void transpose_part(const uint16_t* x, int64_t pairs, int64_t wide, int64_t stride,
                           int64_t rows, uint16_t* to) {
  Ints square[kLanes];
  for (int64_t p = 0; p < kLanes; ++p) {
    const uint16_t* even = x + 2 * p * stride;
    square[p] = p < pairs ? paired(even, even + stride, wide) : Ints{};
  }
  transpose_square(square);
  for (int64_t c = 0; c < wide; ++c) {
    uint16_t* own = to + c * rows;
    if (pairs == kLanes) {
      store(own, square[c]);
    } else {
      __builtin_memcpy(own, &square[c], static_cast<unsigned long>(4 * pairs));
    }
  }
}

// In parts of kLanes columns by kLanes pairs of rows, those of a cache line one after the other.
void transpose_bf16(const uint16_t* x, int64_t rows, int64_t columns, int64_t stride,
                    uint16_t* to) {
  for (int64_t line = 0; line < columns; line += kPanelColumns) {
    const int64_t end = least(columns, line + kPanelColumns);
    for (int64_t row = 0; row < rows; row += 2 * kLanes) {
      for (int64_t first = line; first < end; first += kLanes)
        transpose_part(x + row * stride + first, least((rows - row) / 2, kLanes),
                       least(end - first, kLanes), stride, rows, to + first * rows + row);
    }
  }
}

}  // namespace
}  // namespace heed
