#include "base/word_pair.h"

#include <charconv>

namespace heed {

std::optional<WordPair> parse_word_pair(std::string_view text, std::string_view marks) {
  const char* end = text.data() + text.size();
  uint32_t numbers[2]{};
  const auto first = std::from_chars(text.data(), end, numbers[0]);
  if (first.ec != std::errc() || first.ptr == end ||
      marks.find(*first.ptr) == std::string_view::npos)
    return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, numbers[1]);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  return WordPair{numbers[0], numbers[1], *first.ptr};
}

}  // namespace heed
