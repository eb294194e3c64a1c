#include "data/edges.h"

namespace heed {

Edges read_edges(std::string_view line, std::string_view text,
                 const std::vector<std::string>& pieces, const Tokenizer& tokenizer,
                 const std::string& place) {
  constexpr PairWords kWords{"edge", "an edge", "0-3: word 0 attends to word 3"};
  const WordPieces words = word_pieces({"the sentence", text, pieces, tokenizer});
  return read_word_pairs(line, words, words, kWords, place);
}

}  // namespace heed
