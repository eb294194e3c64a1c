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

std::vector<bool> Codec::word_continuations() const {
  const std::vector<std::string> first = tokenizer_->encode("a");
  const size_t at = tokenizer_->opening().empty() ? 0 : 1;
  if (first.size() <= at || !tokenizer_->begins_word(first[at])) return {};
  const auto makes_longer = [](std::string_view character) {
    const ScriptCount scripts = count_scripts(character);
    return (scripts.letters > 0 && scripts.unspaced == 0) ||
           (character[0] >= '0' && character[0] <= '9');
  };
  std::vector<bool> continuations(static_cast<size_t>(vocabulary_->size()));
  for (int32_t id = kSpecials; id < vocabulary_->size(); ++id) {
    const std::string& piece = vocabulary_->piece(id);
    continuations[static_cast<size_t>(id)] =
        !tokenizer_->begins_word(piece) && makes_longer(code_points(piece).front());
  }
  return continuations;
}

}  // namespace heed
