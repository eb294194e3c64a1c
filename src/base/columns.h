// Text in columns, for a terminal; cells are printed as printable() has them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heed {

inline constexpr size_t kColumnGap = 2;  // spaces between two columns

struct TextColumn {
  std::vector<std::string> cells;
  bool right = false;    // aligned to the right
  size_t width() const;  // of the widest cell, on a terminal
};

// The lines of columns of equally many cells. The last column, if aligned to the left, is not filled
// up with spaces.
std::vector<std::string> align_columns(const std::vector<TextColumn>& columns);

}  // namespace heed
