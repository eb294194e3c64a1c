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
  exchange<4>(rows, lanes);
  if constexpr (kLanes > 8) exchange<8>(rows, lanes);
}

// Columns [first,first + kLanes) of pairs of rows that lie one behind the other: to [depth/2][kLanes]
// pairs, with kColumns between.
inline void pack_across(const uint16_t* b, int64_t depth, int64_t columns, int64_t row,
                        int64_t first, uint16_t* to) {
  typedef uint16_t Halves __attribute__((vector_size(kLanes * 2)));
  const int64_t count = least(columns - first, kLanes);
  for (int64_t i = 0; i < depth; i += 2, to += 2 * kColumns) {
    const uint16_t *even = b + i * row + first, *odd = even + row;
    if (count == kLanes) {
      const Ints low = __builtin_convertvector(load<Halves>(even), Ints),
                 high = __builtin_convertvector(load<Halves>(odd), Ints);
      store(to, low | (high << 16));
      continue;
    }
    for (int64_t c = 0; c < kLanes; ++c) {
      to[2 * c] = c < count ? even[c] : 0;
      to[2 * c + 1] = c < count ? odd[c] : 0;
    }
  }
}

// The same where a column lies in one piece: pairs are words, kLanes columns by kLanes pairs are
// squares of them.
inline void pack_along(const uint16_t* b, int64_t depth, int64_t columns, int64_t column,
                       int64_t first, uint16_t* to) {
  const int64_t pairs = depth / 2;
  for (int64_t i = 0; i < pairs; i += kLanes) {
    Ints square[kLanes];
    const int64_t count = least(kLanes, pairs - i);
    for (int64_t c = 0; c < kLanes; ++c) {
      square[c] = Ints{};
      if (first + c >= columns) continue;
      const uint16_t* from = b + (first + c) * column + 2 * i;
      if (count == kLanes) {
        square[c] = load<Ints>(from);
      } else {
        __builtin_memcpy(&square[c], from, static_cast<unsigned long>(4 * count));
      }
    }
    transpose_square(square);
    for (int64_t p = 0; p < count; ++p) store(to + (i + p) * 2 * kColumns, square[p]);
  }
}

void pack_bf16(const uint16_t* b, int64_t depth, int64_t columns, int64_t row, int64_t column,
               uint16_t* to) {
  for (int64_t panel = 0; panel < columns; panel += kColumns, to += depth * kColumns) {
    for (int64_t v = 0; v < kVectors; ++v) {
      const int64_t first = panel + v * kLanes;
      if (column == 1) {
        pack_across(b, depth, columns, row, first, to + 2 * v * kLanes);
      } else {
        pack_along(b, depth, columns, column, first, to + 2 * v * kLanes);
      }
    }
  }
}

}  // namespace
}  // namespace heed
