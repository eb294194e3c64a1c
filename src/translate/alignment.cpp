#include "translate/alignment.h"

#include <algorithm>
#include <optional>

#include <spdlog/fmt/fmt.h>

#include "text/line_language.h"

namespace heed {

namespace {

int64_t greatest(const std::vector<double>& values) {
  return std::max_element(values.begin(), values.end()) - values.begin();
}

// The source piece with the highest weight in a row. Pieces outside words count only if all
// pieces are.
size_t most_attended(const std::vector<float>& weights, const PieceWords& source_words) {
  std::optional<size_t> most;
  for (size_t s = 0; s < source_words.size(); ++s) {
    if (!source_words[s].empty() && (!most || weights[s] > weights[*most])) most = s;
  }
  const auto end = weights.begin() + std::ssize(source_words);
  return most ? *most
              : static_cast<size_t>(std::max_element(weights.begin(), end) - weights.begin());
}

int64_t count_words(const PieceWords& pieces) {
  int64_t count = 0;
  for (const WordRange& words : pieces) count = std::max(count, words.end);
  return count;
}

PieceWords without_language_code(PieceWords words, const std::vector<std::string>& pieces,
                                 const Tokenizer& tokenizer) {
  if (!pieces.empty() && is_language_piece(pieces.front())) words.front() = {};
  return without_opening(std::move(words), pieces, tokenizer);
}

}  // namespace

PieceWords without_opening(PieceWords words, const std::vector<std::string>& pieces,
                           const Tokenizer& tokenizer) {
  if (!pieces.empty() && pieces.front() == tokenizer.opening()) words.front() = {};
  for (size_t i = 0; i < std::min(tokenizer.closing(), words.size()); ++i)
    words[words.size() - 1 - i] = {};
  return words;
}

Alignment align_words(const AttentionMatrix& attention, const PieceWords& source_words,
                      const PieceWords& target_words) {
  Alignment alignment;
  const int64_t sources = count_words(source_words);
  if (attention.empty() || sources == 0) return alignment;
  for (int64_t word = 0; word < count_words(target_words); ++word) {
    std::vector<double> sums(static_cast<size_t>(sources), -1);  // of a word without pieces
    bool is_written = false;
    for (size_t t = 0; t < target_words.size(); ++t) {
      if (!target_words[t].has(word)) continue;
      is_written = true;
      for (size_t s = 0; s < source_words.size(); ++s) {
        for (int64_t own = source_words[s].begin; own < source_words[s].end; ++own) {
          double& sum = sums[static_cast<size_t>(own)];
          sum = std::max(sum, 0.0) + attention[t][s];
        }
      }
    }
    if (is_written) alignment.emplace_back(greatest(sums), word);
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
  const Tokenizer &source = text.source_codec.tokenizer(), &written = text.target_codec.tokenizer();
  const PieceWords source_words =
                       without_language_code(source.piece_words(text.source, text.source_pieces),
                                             text.source_pieces, source),
                   target_words = written.written_words(pieces);
  const std::vector<std::string> words = source.words(text.source),
                                 targets = written.words(text.target_codec.decode(pieces));
  const std::string unknown = text.target_codec.decode(Ids{kUnknown});
  for (size_t t = 0; t < pieces.size(); ++t) {
    if (target[t] != kUnknown) continue;
    const size_t s = most_attended(attention[t], source_words);
    const WordRange word = target_words[t];
    const bool is_word = !word.empty() && targets[static_cast<size_t>(word.begin)] == unknown;
    const bool in_one_word = source_words[s].end - source_words[s].begin == 1;
    pieces[t] = is_word && in_one_word
                    ? words[static_cast<size_t>(source_words[s].begin)]
                    : text.source_codec.decode(std::vector<std::string>{text.source_pieces[s]});
  }
  return pieces;
}

}  // namespace heed
