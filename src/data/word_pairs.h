// Pairs of words in a line `i-j …`, word positions from 0, as pairs of pieces: what edge lists and
// word alignments have in common.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/tokenizer.h"

namespace heed {

using PiecePairs = std::vector<std::pair<int64_t, int64_t>>;

struct SentenceText {
  std::string name;
  std::string_view text;
  const std::vector<std::string>& pieces;
  const Tokenizer& tokenizer;
};

// The pieces of each word of a sentence (word_unit.h); of a word that the tokenizer leaves out, none.
struct WordPieces {
  std::string name;  // of the sentence in messages: "the source"
  std::vector<std::vector<int64_t>> of;
  std::string note = {};  // count_note()
};

// Explains to a user, behind a space, why there are more or fewer words than parts between spaces; ""
// where there are as many.
std::string count_note(const SentenceText& sentence);

WordPieces word_pieces(const SentenceText& sentence);

// Names of a pair in messages.
struct PairWords {
  const char* name;     // "edge"
  const char* one;      // "an edge"
  const char* example;  // behind "expected word positions from 0, such as "
};

// A pair of words joins all pieces of the one with all of the other. Throws Error(kData), which
// begins with `place`, for what is no pair and for a word that the sentence does not have.
PiecePairs read_word_pairs(std::string_view line, const WordPieces& first, const WordPieces& second,
                           const PairWords& words, const std::string& place);

}  // namespace heed
