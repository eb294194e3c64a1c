#include "text/codec.h"

#include "base/line_separators.h"
#include "base/unspaced.h"
#include "base/utf8.h"
#include "text/marker.h"

namespace heed {

std::optional<int32_t> Codec::marker() const {
  if (!tokenizer_->marks()) return std::nullopt;
  return vocabulary_->id(kMarkerPiece);
}

Ids Codec::encode(std::string_view line, std::vector<std::string>* surface) const {
  std::vector<std::string> pieces = tokenizer_->encode(line);
  Ids ids;
  ids.reserve(pieces.size());
  for (const std::string& piece : pieces) {
    const int32_t id = vocabulary_->id(piece);
    // A text that holds "</s>" as a word must not end the sentence.
    ids.push_back(id < kSpecials ? kUnknown : id);
  }
  if (surface) *surface = std::move(pieces);
  return ids;
}

std::optional<int32_t> Codec::opening() const {
  const std::string_view piece = tokenizer_->opening();
  return piece.empty() ? std::nullopt : std::optional(vocabulary_->id(piece));
}

std::string Codec::decode(const Ids& ids) const { return decode(pieces(ids)); }

std::string Codec::decode(const std::vector<std::string>& pieces) const {
  bool separated = false;
  return decode(pieces, separated);
}

std::string Codec::decode(const std::vector<std::string>& pieces, bool& separated) const {
  const std::string text = tokenizer_->decode(pieces);
  if (!has_line_separator(text)) return text;
  separated = true;
  return on_one_line(text);
}

std::vector<std::string> Codec::pieces(const Ids& ids,
                                       const std::vector<std::string>& behind) const {
  std::vector<std::string> pieces;
  pieces.reserve(ids.size());
  for (const int32_t id : ids) {
    if (id >= vocabulary_->size()) {
      pieces.push_back(behind.at(static_cast<size_t>(id - vocabulary_->size())));
    } else if (id >= kSpecials || id == kUnknown) {
      pieces.push_back(vocabulary_->piece(id));
    }
  }
  return pieces;
}

Ids Codec::within_text(std::string_view phrase, Ids ids) const {
  const std::vector<std::string> words = tokenizer_->words(phrase);
  if (words.empty() || ids.empty() || ids.front() >= vocabulary_->size() ||
      unit_of(tokenizer_->word_unit(), phrase) != WordUnit::kCharacters ||
      count_scripts(words.front()).unspaced == 0)
    return ids;
  const std::string text = tokenizer_->text_of(vocabulary_->piece(ids.front()));
  if (text == " ") {
    ids.erase(ids.begin());
  } else if (text.starts_with(' ')) {
    const int32_t inside = vocabulary_->id(text.substr(1));
    if (inside >= kSpecials) ids.front() = inside;
  }
  return ids;
}

WordJoins Codec::word_joins() const {
  const auto size = static_cast<size_t>(vocabulary_->size());
  WordJoins joins{std::vector<bool>(size), std::vector<bool>(size), {}};
  for (int32_t id = kSpecials; id < vocabulary_->size(); ++id) {
    const std::string text = tokenizer_->text_of(vocabulary_->piece(id));
    if (text == " ") joins.space = id;
    const std::vector<std::string_view> characters = code_points(text);
    if (characters.empty()) continue;
    joins.open_start[static_cast<size_t>(id)] = is_part_of_word(characters.front());
    joins.open_end[static_cast<size_t>(id)] = is_part_of_word(characters.back());
  }
  return joins;
}

}  // namespace heed
