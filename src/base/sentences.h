// The sentences of a line by the rules of Unicode (UAX 29), which do not end behind an abbreviation
// that CLDR lists for the language. ICU has the rules and the lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Views into the line, without the white space around each; none of an empty line. language: a code,
// "" for the rules without abbreviations. From any thread.
std::vector<std::string_view> split_sentences(std::string_view line, const std::string& language);

// A text without the white space of Unicode at both ends.
std::string_view without_outer_space(std::string_view text);

}  // namespace heed
