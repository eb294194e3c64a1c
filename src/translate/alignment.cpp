#include "translate/alignment.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

namespace heed {

namespace {

int64_t greatest(const std::vector<double>& values) {
  return std::max_element(values.begin(), values.end()) - values.begin();
}

// The source piece with the highest weight in a row, without kEnd.
size_t most_attended(const std::vector<float>& weights, size_t source_pieces) {
  const auto end = weights.begin() + static_cast<ptrdiff_t>(source_pieces);
  return static_cast<size_t>(std::max_element(weights.begin(), end) - weights.begin());
}

// The pieces of one word.
std::vector<std::string> pieces_of(const std::vector<std::string>& pieces,
                                   const std::vector<int64_t>& words, int64_t word) {
  std::vector<std::string> own;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (words[i] == word) own.push_back(pieces[i]);
  }
  return own;
}

}  // namespace

Alignment align_words(const AttentionMatrix& attention, const std::vector<int64_t>& source_words,
                      const std::vector<int64_t>& target_words) {
  Alignment alignment;
  if (attention.empty() || source_words.empty()) return alignment;
  const auto source_size = static_cast<size_t>(std::ranges::max(source_words) + 1);
  if (source_size == 0) return alignment;
  for (size_t t = 0; t < target_words.size();) {
    const int64_t word = target_words[t];
    std::vector<double> sums(source_size, 0.0);
    for (; t < target_words.size() && target_words[t] == word; ++t) {
      for (size_t s = 0; s < source_words.size(); ++s) {
        if (source_words[s] != kNoWord) sums[source_words[s]] += attention[t][s];
      }
    }
    if (word == kNoWord) continue;
    alignment.emplace_back(greatest(sums), word);
  }
  return alignment;
}

std::string pharaoh(const Alignment& alignment) {
  std::vector<std::string> links;
  for (const auto& [source, target] : alignment)
    links.push_back(fmt::format("{}-{}", source, target));
  return fmt::format("{}", fmt::join(links, " "));
}

std::vector<std::string> replace_unknown(const PieceText& text, const Ids& target,
                                         const AttentionMatrix& attention) {
  std::vector<std::string> pieces = text.target_codec.pieces(target, text.behind);
  if (attention.empty() || text.source_pieces.empty()) return pieces;
  const std::vector<std::string> original = pieces;
  const std::vector<int64_t> source_words =
      text.source_codec.tokenizer().words_of(text.source_pieces);
  const std::vector<int64_t> target_words = text.target_codec.tokenizer().words_of(original);
  const std::string unknown = text.target_codec.decode(Ids{kUnknown});
  for (size_t t = 0; t < pieces.size(); ++t) {
    if (target[t] != kUnknown) continue;
    const size_t s = most_attended(attention[t], text.source_pieces.size());
    const bool is_word =
        text.target_codec.decode(pieces_of(original, target_words, target_words[t])) == unknown;
    pieces[t] =
        text.source_codec.decode(is_word && source_words[s] != kNoWord
                                     ? pieces_of(text.source_pieces, source_words, source_words[s])
                                     : std::vector<std::string>{text.source_pieces[s]});
  }
  return pieces;
}

}  // namespace heed
