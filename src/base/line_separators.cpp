#include "base/line_separators.h"

namespace heed {

namespace {

constexpr std::string_view kOfOneByte = "\n\v\f\r\x1C\x1D\x1E";
constexpr std::string_view kLonger[] = {"\u0085", "\u2028", "\u2029"};

// The bytes of the separator that the text begins with, or 0.
size_t separator_size(std::string_view text) {
  if (kOfOneByte.find(text.front()) != std::string_view::npos) return 1;
  for (const std::string_view separator : kLonger) {
    if (text.starts_with(separator)) return separator.size();
  }
  return 0;
}

size_t find_separator(std::string_view text, size_t from) {
  while (from < text.size() && separator_size(text.substr(from)) == 0) ++from;
  return from;
}

}  // namespace

bool has_line_separator(std::string_view text) { return find_separator(text, 0) < text.size(); }

std::string on_one_line(std::string text) {
  for (size_t at = find_separator(text, 0); at < text.size(); at = find_separator(text, at))
    text.replace(at, separator_size(std::string_view(text).substr(at)), " ");
  return text;
}

}  // namespace heed
