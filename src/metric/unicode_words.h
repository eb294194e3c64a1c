// Words of text in any script, for ROUGE beyond English.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Runs of letters, marks and numbers (the Unicode categories L, M and N), in lower case. Of scripts
// that write no spaces between words (base/unspaced.h) each character is a word, with the marks behind
// it. text: well-formed.
std::vector<std::string> unicode_words(std::string_view text);

// Letters of a text, and those of them that are not a-z or A-Z.
struct LetterCount {
  size_t all = 0, beyond_ascii = 0;
  LetterCount& operator+=(const LetterCount& other);
};
LetterCount count_letters(std::string_view text);

}  // namespace heed
