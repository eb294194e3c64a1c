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
  const size_t end = pieces.size() - std::min(pieces.size(), tokenizer_->closing());
  for (size_t i = 0; i < pieces.size(); ++i) {
    const int32_t id = vocabulary_->id(pieces[i]);
    // A text that holds "</s>" as a word must not end the sentence.
    ids.push_back(id < kSpecials && i < end ? kUnknown : id);
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
  if (words.empty() || unit_of(tokenizer_->word_unit(), phrase) != WordUnit::kCharacters)
    return ids;
  const auto is_unspaced = [](const std::string& word) { return count_scripts(word).unspaced > 0; };
  const auto text_of = [&](int32_t id) {
    return id < vocabulary_->size() ? tokenizer_->text_of(vocabulary_->piece(id)) : std::string();
  };
  const auto replace_known = [&](int32_t& id, std::string_view piece) {
    if (const int32_t other = vocabulary_->id(piece); other >= kSpecials) id = other;
  };
  if (!ids.empty() && is_unspaced(words.front())) {
    const std::string text = text_of(ids.front());
    if (text == " ")
      ids.erase(ids.begin());
    else if (text.starts_with(' '))
      replace_known(ids.front(), text.substr(1));
  }
  if (!ids.empty() && is_unspaced(words.back())) {
    const std::string text = text_of(ids.back());
    if (text == " ")
      ids.pop_back();
    else if (text.ends_with(' '))
      replace_known(ids.back(), text.substr(0, text.size() - 1));
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
