#include "text/line.h"

#include <algorithm>

#include "base/utf8.h"

namespace heed {

std::string prepare_line(std::string_view line, bool lower) {
  std::string text = is_utf8(line) ? std::string(line) : replace_malformed(line);
  std::ranges::replace(text, '\r', ' ');
  return lower ? lower_case(text) : text;
}

}  // namespace heed
