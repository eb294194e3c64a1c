#include "data/source_factors.h"

#include "base/error.h"

namespace heed {

Ids read_labels(std::string_view line, const SentenceText& sentence, const Codec& labels,
                const std::string& place) {
  const Ids own = labels.encode(line);
  const int64_t words = sentence.tokenizer.count_words(sentence.text);
  if (words != std::ssize(own)) {
    throw_error(
        ErrorKind::kData,
        "{}: {} label{}, but {} has {} word{}{}; give one label for each word, separated by "
        "spaces",
        place, own.size(), own.size() == 1 ? "" : "s", sentence.name, words, words == 1 ? "" : "s",
        count_note(sentence));
  }
  Ids spread;
  for (const WordRange& piece : sentence.tokenizer.piece_words(sentence.text, sentence.pieces))
    spread.push_back(piece.empty() ? kUnknown : own[static_cast<size_t>(piece.begin)]);
  return spread;
}

Ids read_label_of_line(std::string_view line, const SentenceText& sentence, const Codec& labels,
                       const std::string& place) {
  const Ids own = labels.encode(line);
  if (own.size() != 1)
    throw_error(ErrorKind::kData,
                "{}: {} labels, separated by spaces; give one label for the whole line", place,
                own.size());
  return Ids(sentence.pieces.size(), own.front());
}

}  // namespace heed
