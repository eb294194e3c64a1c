#include "base/replace_all.h"

namespace heed {

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  size_t found = text.find(from);
  if (found == std::string::npos) return text;
  std::string result;
  size_t start = 0;
  for (; found != std::string::npos; found = text.find(from, start)) {
    result.append(text, start, found - start).append(to);
    start = found + from.size();
  }
  return result.append(text, start);
}

}  // namespace heed
