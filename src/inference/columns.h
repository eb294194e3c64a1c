// Concatenation of rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/aligned.h"

namespace heed {

struct Columns {
  const AlignedFloats* x;  // [rows,width]
  int64_t width;
};

// to: [rows, sum of the widths]
inline const AlignedFloats& join_columns(const std::vector<Columns>& parts, int64_t rows,
                                         AlignedFloats& to) {
  int64_t all = 0, column = 0;
  for (const Columns& part : parts) all += part.width;
  to.resize(static_cast<size_t>(rows * all));
  for (const auto& [x, width] : parts) {
    for (int64_t r = 0; r < rows; ++r)
      std::copy_n(x->data() + r * width, width, to.data() + r * all + column);
    column += width;
  }
  return to;
}

}  // namespace heed
