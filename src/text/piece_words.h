// The words of a line that each of its pieces is part of. A piece may be part of several words, such as
// a SentencePiece model's that is longer than a word, and a word may have no piece, such as one of
// characters that the tokenizer leaves out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/word_unit.h"

namespace heed {

// Numbers of words, from 0. Empty for a piece that is part of no word: a marker that is spaces.
struct WordRange {
  int64_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
  bool has(int64_t word) const { return begin <= word && word < end; }
  bool operator==(const WordRange&) const = default;
};
using PieceWords = std::vector<WordRange>;

// Finds them by the texts of pieces and words, without what separates words by `unit`, which is not
// kByLine. Where the text of the pieces is that of the words, or its beginning, each piece is
// part of the words whose characters it has. Where it differs, what stands between an equal beginning
// and an equal end is part of all words there. A piece without text is part of the next word, at the
// end of the last one. `words` without text is empty.
PieceWords find_words(const std::vector<std::string>& pieces, const std::vector<std::string>& words,
                      WordUnit unit);
// True if the texts are the same, or those of the pieces are the beginning.
bool has_text_of(const std::vector<std::string>& pieces, const std::vector<std::string>& words,
                 WordUnit unit);

}  // namespace heed
