#include "text/features.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "base/utf8.h"
#include "text/line.h"

namespace heed {

namespace {

std::string_view text_before(std::string_view line) { return line.substr(0, line.find('\t')); }

std::string_view labels_behind(std::string_view line) {
  const size_t tab = line.find('\t');
  return tab == std::string_view::npos ? std::string_view() : line.substr(tab + 1);
}

bool is_label(std::string_view piece) { return piece.starts_with(kFeatureSign); }

// The pieces of the text. Labels that a model has written between them are left out.
std::vector<std::string> text_pieces(const std::vector<std::string>& pieces) {
  std::vector<std::string> own;
  std::ranges::copy_if(pieces, std::back_inserter(own),
                       [](const std::string& piece) { return !is_label(piece); });
  return own;
}

}  // namespace

FeatureTokenizer::FeatureTokenizer(std::shared_ptr<const Tokenizer> inner, std::string separators)
    : inner_(std::move(inner)), separators_(std::move(separators)) {
  set_word_unit(inner_->word_unit());
}

std::vector<std::string> FeatureTokenizer::labels_of(std::string_view line) const {
  std::vector<std::string> labels;
  const std::string behind = prepare_line(labels_behind(line), /*lower=*/false);
  bool ended = true;
  for (const std::string_view point : code_points(behind)) {
    if (point == "\t" || point == " " || separators_.find(point) != std::string::npos) {
      ended = true;
      continue;
    }
    if (ended) labels.emplace_back();
    labels.back() += point;
    ended = false;
  }
  return labels;
}

std::vector<std::string> FeatureTokenizer::encode(std::string_view line) const {
  std::vector<std::string> pieces = inner_->encode(text_before(line));
  for (const std::string& label : labels_of(line))
    pieces.push_back(std::string(kFeatureSign) + label);
  return pieces;
}

std::string FeatureTokenizer::decode(const std::vector<std::string>& pieces) const {
  std::string text = inner_->decode(text_pieces(pieces));
  const std::string between(code_points(separators_).front());
  bool first = true;
  for (const std::string& piece : pieces) {
    if (!is_label(piece)) continue;
    text += first ? "\t" : between;
    text += piece.substr(kFeatureSign.size());
    first = false;
  }
  return text;
}

std::string FeatureTokenizer::joined(std::string_view line) const {
  const std::string_view text = text_before(line);
  return inner_->joined(text) + std::string(line.substr(text.size()));
}

std::vector<std::string> FeatureTokenizer::words(std::string_view line) const {
  std::vector<std::string> words = inner_->words(text_before(line));
  for (std::string& label : labels_of(line)) words.push_back(std::move(label));
  return words;
}

PieceWords FeatureTokenizer::piece_words(std::string_view line,
                                         const std::vector<std::string>& pieces) const {
  const std::string_view text = text_before(line);
  PieceWords words = inner_->piece_words(text, text_pieces(pieces));
  int64_t next = inner_->count_words(text);
  for (; words.size() < pieces.size(); ++next) words.push_back({next, next + 1});
  return words;
}

PieceWords FeatureTokenizer::written_words(const std::vector<std::string>& pieces) const {
  const std::vector<std::string> text = text_pieces(pieces);
  const PieceWords own = inner_->written_words(text);
  int64_t next = inner_->count_words(inner_->decode(text));
  auto of_text = own.begin();
  PieceWords words;
  for (const std::string& piece : pieces) {
    if (is_label(piece)) {
      words.push_back({next, next + 1});
      ++next;
    } else {
      words.push_back(*of_text++);
    }
  }
  return words;
}

std::string FeatureTokenizer::text_of(std::string_view piece) const {
  if (!is_label(piece)) return inner_->text_of(piece);
  return fmt::format(" [{}]", piece.substr(kFeatureSign.size()));
}

std::shared_ptr<const Tokenizer> with_features(std::shared_ptr<const Tokenizer> tokenizer,
                                               const std::optional<std::string>& separators) {
  if (!separators) return tokenizer;
  return std::make_shared<const FeatureTokenizer>(std::move(tokenizer), *separators);
}

}  // namespace heed
