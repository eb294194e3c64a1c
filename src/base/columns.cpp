#include "base/columns.h"

#include <algorithm>

#include "base/error.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace heed {

namespace {

std::vector<TextColumn> with_printable_cells(std::vector<TextColumn> columns) {
  for (TextColumn& column : columns) {
    for (std::string& cell : column.cells) cell = printable(cell);
  }
  return columns;
}

}  // namespace

size_t TextColumn::width() const {
  size_t width = 0;
  for (const std::string& cell : cells) width = std::max(width, display_width(cell));
  return width;
}

std::vector<std::string> align_columns(const std::vector<TextColumn>& given) {
  if (given.empty()) return {};
  const std::vector<TextColumn> columns = with_printable_cells(given);
  std::vector<std::string> lines(columns.front().cells.size());
  for (const TextColumn& column : columns) {
    HEED_CHECK(column.cells.size() == lines.size());
    const bool is_last = &column == &columns.back();
    const size_t width = column.width();
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::string& cell = column.cells[i];
      const std::string room(width - display_width(cell), ' ');
      lines[i] += column.right ? room + cell : cell;
      if (is_last) continue;
      if (!column.right) lines[i] += room;
      lines[i].append(kColumnGap, ' ');
    }
  }
  return lines;
}

std::string column_blocks(const std::vector<TextColumn>& columns, size_t fixed, size_t width) {
  std::string text;
  for (size_t next = std::min(fixed, columns.size() - 1); next < columns.size();) {
    std::vector<TextColumn> beside(columns.begin(), columns.begin() + static_cast<int64_t>(fixed));
    size_t used = 0;
    for (const TextColumn& column : beside) used += column.width() + kColumnGap;
    do {
      used += columns[next].width() + kColumnGap;
      beside.push_back(columns[next++]);
    } while (next < columns.size() && used + columns[next].width() <= width);
    if (!text.empty()) text += "\n";
    for (const std::string& line : align_columns(beside))
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace heed
