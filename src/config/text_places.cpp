#include "config/text_places.h"

#include <algorithm>

#include "base/utf8.h"

namespace heed {

TextPlaces::TextPlaces(std::string_view text) : text_(text), line_starts_{0} {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') line_starts_.push_back(i + 1);
  }
}

FilePlace TextPlaces::at(size_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<int>(after - line_starts_.begin()) - 1;
  return at(line, static_cast<int>(offset - line_starts_[static_cast<size_t>(line)]));
}

FilePlace TextPlaces::at(int line, int byte) const {
  if (line < 0 || byte < 0 || static_cast<size_t>(line) >= line_starts_.size()) return {1, 1};
  const size_t start = line_starts_[static_cast<size_t>(line)];
  const size_t offset = std::min(text_.size(), start + static_cast<size_t>(byte));
  if (last_.start != start || last_.offset > offset) last_ = {.start = start, .offset = start};
  last_.column +=
      static_cast<int>(count_code_points(text_.substr(last_.offset, offset - last_.offset)));
  last_.offset = offset;
  return {line + 1, last_.column};
}

std::string_view TextPlaces::line(int number) const {
  if (number < 0 || static_cast<size_t>(number) >= line_starts_.size()) return "";
  const size_t start = line_starts_[static_cast<size_t>(number)];
  return text_.substr(start, text_.find('\n', start) - start);
}

size_t find_unreadable(std::string_view text) {
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r') ||
           c == '\x7f';
  };
  const auto control = std::find_if(text.begin(), text.end(), is_control);
  const size_t malformed = find_malformed(text);
  return control == text.end() ? malformed
                               : std::min(malformed, static_cast<size_t>(control - text.begin()));
}

bool quote_is_closed(std::string_view text, size_t offset) {
  if (offset >= text.size() || (text[offset] != '\'' && text[offset] != '"')) return true;
  const char quote = text[offset];
  for (size_t i = offset + 1; i < text.size(); ++i) {
    const bool is_escape = quote == '"' ? text[i] == '\\' : text.substr(i, 2) == "''";
    if (is_escape) {
      ++i;
    } else if (text[i] == quote) {
      return true;
    }
  }
  return false;
}

}  // namespace heed
