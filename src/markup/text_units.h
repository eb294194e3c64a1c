// Parts of a text that tags can stand between.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// A word with what is inside it ("don't", "3.14", "a@b.org"), a character of a script without spaces
// between words, or another visible character.
struct TextUnit {
  size_t begin, end;  // bytes
  bool is_word;       // false: punctuation
  bool operator==(const TextUnit&) const = default;
};

// Units of well-formed UTF-8, with spaces between them left out. cuts: ascending byte offsets that no
// unit crosses.
std::vector<TextUnit> units_of(std::string_view text, const std::vector<size_t>& cuts = {});

// The same, but the parts of a word with hyphens are units: a tag may end inside "PDF-Datei".
std::vector<TextUnit> hyphenless_units_of(std::string_view text, std::vector<size_t> cuts = {});

std::vector<std::string> unit_texts(std::string_view text, const std::vector<TextUnit>& units);

}  // namespace heed
