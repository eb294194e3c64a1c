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
// The lines as a text, for a terminal of this width. Columns that do not fit follow in a further
// block, which repeats the first `fixed` columns. No line ends in spaces.
std::string column_blocks(const std::vector<TextColumn>& columns, size_t fixed, size_t width);

}  // namespace heed
