#include "data/word_alignment.h"

namespace heed {

PiecePairs read_word_alignment(std::string_view line, const SentenceText& source,
                               const SentenceText& target, const std::string& place) {
  constexpr PairWords kWords{"link", "a link", "0-3: source word 0 and target word 3"};
  return read_word_pairs(line, word_pieces(source), word_pieces(target), kWords, place);
}

}  // namespace heed
