// The sentences of a line by the rules of Unicode (UAX 29), which do not end behind an abbreviation
// that CLDR lists for the language. ICU has the rules and the lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Views into the line, without the white space around each; none of an empty line. language: a code,
// "" for the rules without abbreviations. abbreviations: more of them, sorted, as
// last_abbreviation() writes them. From any thread.
std::vector<std::string_view> split_sentences(std::string_view line, const std::string& language,
                                              const std::vector<std::string>& abbreviations = {});

// The last word of a sentence that ends in a period, without punctuation before the word and with 0 for
// each digit: "Dr." of "Is it (Dr.", "0." of "on the 3."; "" where there is none.
std::string last_abbreviation(std::string_view sentence);

// A text without the white space of Unicode at both ends.
std::string_view without_outer_space(std::string_view text);

}  // namespace heed
