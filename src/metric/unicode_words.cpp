#include "metric/unicode_words.h"

#include <unicode/uchar.h>

#include "base/unspaced.h"
#include "base/utf8.h"
#include "metric/code_points.h"

namespace heed {

namespace {

bool has_category(char32_t c, uint32_t mask) {
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & mask) != 0;
}

bool is_mark(char32_t c) { return has_category(c, U_GC_M_MASK); }

}  // namespace

std::vector<std::string> unicode_words(std::string_view text) {
  const std::string lower = lower_case(text);
  std::vector<std::string> words;
  bool in_word = false;      // whether the next letter or number belongs to the last word
  bool takes_marks = false;  // whether the next mark does
  for (const std::string_view point : code_points(lower)) {
    const char32_t c = decode(point);
    if (!has_category(c, U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)) {
      in_word = takes_marks = false;
      continue;
    }
    const bool alone = is_unspaced(c) && !is_mark(c);
    const bool joins = is_mark(c) ? takes_marks : in_word && !alone;
    if (joins) {
      words.back() += point;
    } else {
      words.emplace_back(point);
      in_word = !alone;
    }
    takes_marks = true;
  }
  return words;
}

LetterCount& LetterCount::operator+=(const LetterCount& other) {
  all += other.all;
  beyond_ascii += other.beyond_ascii;
  return *this;
}

LetterCount count_letters(std::string_view text) {
  LetterCount count;
  for (const std::string_view point : code_points(text)) {
    const char32_t c = decode(point);
    if (!has_category(c, U_GC_L_MASK)) continue;
    ++count.all;
    count.beyond_ascii += c > 0x7f ? 1 : 0;
  }
  return count;
}

}  // namespace heed
