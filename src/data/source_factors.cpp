#include "data/source_factors.h"

#include "base/error.h"

namespace heed {

Ids read_labels(std::string_view line, const SentenceText& sentence, const Codec& labels,
                const std::string& place) {
  const Ids own = labels.encode(line);
  if (const int64_t words = sentence.tokenizer.count_words(sentence.text);
      words != std::ssize(own)) {
    throw_error(ErrorKind::kData,
                "{}: {} label{}, but {} has {} word{}; give one label for each word, separated by "
                "spaces",
                place, own.size(), own.size() == 1 ? "" : "s", sentence.name, words,
                words == 1 ? "" : "s");
  }
  const WordPieces words = word_pieces(sentence, place);
  Ids spread(sentence.pieces.size(), kUnknown);  // that of marks between sentences
  for (size_t word = 0; word < own.size(); ++word) {
    for (const int64_t piece : words.of[word]) spread[static_cast<size_t>(piece)] = own[word];
  }
  return spread;
}

}  // namespace heed
