// Pairs of words in a line `i-j …` (word positions from 0) as pairs of pieces: the common part of
// edge lists and word alignments.
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

// Pieces of each word of a sentence (word_unit.h); empty for a word that the tokenizer leaves out.
struct WordPieces {
  std::string name;  // of the sentence in messages: "the source"
  std::vector<std::vector<int64_t>> of;
  std::string note = {};  // count_note()
};

// Note for a message, after a space, that explains why the number of words differs from the number
// of parts between spaces; "" if it does not.
std::string count_note(const SentenceText& sentence);

WordPieces word_pieces(const SentenceText& sentence);

// Names of a pair in messages.
struct PairWords {
  const char* name;     // "edge"
  const char* one;      // "an edge"
  const char* example;  // follows "expected word positions from 0, such as "
};

// Connects all pieces of one word of a pair with all pieces of the other. Throws Error(kData),
// which begins with `place`, for text that is not a pair and for a word outside the sentence.
PiecePairs read_word_pairs(std::string_view line, const WordPieces& first, const WordPieces& second,
                           const PairWords& words, const std::string& place);

}  // namespace heed
