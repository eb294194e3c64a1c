#include "data/markup.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/compression/compressed_name.h"
#include "base/compression/stored_text.h"
#include "base/file.h"

namespace heed {

namespace {

// The beginning of a table, read with one delimiter.
struct Rows {
  std::vector<int64_t> columns{};  // of each row that has ended
  int64_t delimiters = 0, before_space = 0;

  bool are_even() const {
    return std::ranges::all_of(columns, [&](int64_t own) { return own == columns.front(); }) &&
           columns.front() > 1 && 2 * before_space < delimiters;
  }
};

Rows read_rows(const std::string& text, char delimiter) {
  Rows rows;
  bool quoted = false;
  int64_t columns = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (text[i] == delimiter) {
      ++columns;
      ++rows.delimiters;
      rows.before_space += i + 1 < text.size() && text[i + 1] == ' ';
    } else if (text[i] == '\n') {
      rows.columns.push_back(columns);
      columns = 1;
    }
  }
  return rows;
}

std::string read_beginning(const fs::path& file) {
  constexpr int64_t kLines = 50;
  LineReader reader(file);
  std::string text;
  for (std::string line; reader.line_number() < kLines && reader.next(line);) text += line + '\n';
  return text;
}

bool is_called_csv(const fs::path& file) {
  const fs::path ending = without_compression(file).extension();
  return ending == ".csv" || ending == ".CSV";
}

}  // namespace

std::optional<char> find_delimiter(const fs::path& file, int64_t rows) {
  if (!is_stored_text(file)) return std::nullopt;
  const std::string text = read_beginning(file);
  if (text.substr(0, text.find('\n')).find('\t') != std::string::npos) return std::nullopt;
  for (const char delimiter : {';', ','}) {
    const Rows found = read_rows(text, delimiter);
    const int64_t least = is_called_csv(file) ? 1 : rows;
    if (std::ssize(found.columns) >= least && found.are_even()) return delimiter;
  }
  if (!is_called_csv(file)) return std::nullopt;
  return std::ranges::count(text, ';') > std::ranges::count(text, ',') ? ';' : ',';
}

}  // namespace heed
