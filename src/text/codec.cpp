#include "text/codec.h"

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

std::string Codec::decode(const Ids& ids) const { return tokenizer_->decode(pieces(ids)); }

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

}  // namespace heed
