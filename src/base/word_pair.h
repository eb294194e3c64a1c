// Pairs of word positions as text, of alignments and edge lists: "3-12".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heed {

struct WordPair {
  int64_t first = 0, second = 0;  // from 0
  char mark = '-';                // between them
};

// Two decimal numbers below 2^32 with one of the `marks` between them; nullopt for anything else.
std::optional<WordPair> parse_word_pair(std::string_view text, std::string_view marks = "-");

}  // namespace heed
