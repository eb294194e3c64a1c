#include "metric/words.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "base/error.h"
#include "base/unspaced.h"

namespace heed {

namespace {

// White_Space of Unicode and the four separators U+001C to U+001F.
bool is_space(UChar32 c) { return (c >= 0x1C && c <= 0x1F) || u_isUWhiteSpace(c); }

UChar32 next(std::string_view text, size_t& offset) {
  UChar32 c = static_cast<unsigned char>(text[offset]);
  if (c < 0x80) {
    ++offset;
  } else {
    U8_NEXT(reinterpret_cast<const uint8_t*>(text.data()), offset, text.size(), c);
  }
  return c;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  size_t begin = 0;
  for (size_t offset = 0; offset < text.size();) {
    const size_t at = offset;
    if (!is_space(next(text, offset))) continue;
    if (at > begin) words.push_back(text.substr(begin, at - begin));
    begin = offset;
  }
  if (text.size() > begin) words.push_back(text.substr(begin));
  return words;
}

std::string caveat_of_unspaced(const std::vector<std::vector<std::string>>& references,
                               std::string_view instead) {
  size_t lines = 0, unspaced = 0;
  for (const auto& reference : references) {
    for (const std::string& line : reference) {
      ++lines;
      unspaced += count_scripts(line).is_unspaced() ? 1 : 0;
    }
  }
  if (2 * unspaced <= lines) return "";
  return fmt::format(
      "its words are what stands between spaces, and {} of {} references have none between words: "
      "{}",
      unspaced, lines, instead);
}

std::string_view strip_right(std::string_view text) {
  size_t end = text.size();
  while (end > 0) {
    size_t at = end;
    U8_BACK_1(reinterpret_cast<const uint8_t*>(text.data()), 0, at);
    size_t behind = at;
    if (!is_space(next(text, behind))) break;
    end = at;
  }
  return text.substr(0, end);
}

std::string_view strip(std::string_view text) {
  size_t begin = 0;
  for (size_t offset = 0; offset < text.size() && is_space(next(text, offset));) begin = offset;
  return strip_right(text.substr(begin));
}

}  // namespace heed
