// Code points of characters, for metrics that compare or sort them.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Decodes one well-formed character.
char32_t decode(std::string_view character);
// Decodes a well-formed text.
std::u32string decode_all(std::string_view text);

struct CodePointRange {
  char32_t first, last;
};

template <class Ranges>
bool is_in(char32_t c, const Ranges& ranges) {
  for (const CodePointRange& range : ranges) {
    if (c >= range.first && c <= range.last) return true;
  }
  return false;
}

}  // namespace heed
