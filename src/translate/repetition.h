// Translations that repeat themselves, as those of a model that has lost its source do.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct Repetition {
  std::string words;  // with a space between two
  int64_t count = 0;
};

// The most frequent run of `size` words of the text, the first of equal ones; of a text of fewer words
// none.
Repetition most_repeated(const std::vector<std::string>& words, size_t size);

// The run of four words (of a text without spaces between words, eight characters) of a target that
// occurs three times or more, covers a quarter of it, and occurs more often than any run of the
// source. Count 0: there is none.
Repetition find_repetition(const std::vector<std::string>& source,
                           const std::vector<std::string>& target, bool is_unspaced);

// The longest run of one character in a target if it has ten or more, is a quarter of the target, and
// is longer than any run of the source. Texts are well-formed UTF-8.
Repetition find_character_run(std::string_view source, std::string_view target);

}  // namespace heed
