#include "text/line.h"

#include <algorithm>

#include "base/utf8.h"

namespace heed {

std::string prepare_line(std::string_view line, bool lower) {
  std::string text = is_utf8(line) ? std::string(line) : replace_malformed(line);
  std::ranges::replace(text, '\r', ' ');
  return lower ? lower_case(text) : text;
}

std::vector<std::string_view> cut_line(std::string_view line, size_t size) {
  std::vector<std::string_view> parts;
  while (line.size() > size) {
    size_t end = line.rfind(' ', size);
    const bool at_space = end != std::string_view::npos && end > 0;
    if (!at_space) {
      end = size;
      while (end > 1 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    }
    parts.push_back(line.substr(0, end));
    line.remove_prefix(at_space ? end + 1 : end);
  }
  if (!line.empty()) parts.push_back(line);
  return parts;
}

}  // namespace heed
