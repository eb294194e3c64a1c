#include "metric/code_points.h"

#include <unicode/utf8.h>

#include "base/utf8.h"

namespace heed {

char32_t decode(std::string_view character) {
  UChar32 c = 0;
  U8_GET_UNSAFE(reinterpret_cast<const uint8_t*>(character.data()), 0, c);
  return static_cast<char32_t>(c);
}

std::u32string decode_all(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (const auto character : code_points(text)) result.push_back(decode(character));
  return result;
}

}  // namespace heed
