// Tokenizer and vocabulary of the source or target side: converts raw lines to ids and ids to raw
// lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"
#include "text/vocabulary.h"
#include "text/word_joins.h"

namespace heed {

// Immutable and thread-safe.
class Codec {
 public:
  Codec(std::shared_ptr<const Tokenizer> tokenizer, std::shared_ptr<const Vocabulary> vocabulary)
      : tokenizer_(std::move(tokenizer)), vocabulary_(std::move(vocabulary)) {}

  const Tokenizer& tokenizer() const { return *tokenizer_; }
  const std::shared_ptr<const Tokenizer>& shared_tokenizer() const { return tokenizer_; }
  const Vocabulary& vocabulary() const { return *vocabulary_; }
  const std::shared_ptr<const Vocabulary>& shared_vocabulary() const { return vocabulary_; }

  // Id of kMarkerPiece if sentences are marked.
  std::optional<int32_t> marker() const;

  // Id of the piece that an encoded line begins with, its language. On a target it is forced.
  std::optional<int32_t> opening() const;

  // Encodes a line without kBegin and kEnd. kUnknown is the only special id in the result, whatever
  // the text contains, except for a kEnd before the language at the end (line_language.h). surface:
  // if given, receives the pieces as they occur in the text.
  Ids encode(std::string_view line, std::vector<std::string>* surface = nullptr) const;
  // Cuts an encoded line, or its pieces, to this length. Its language at the end stays.
  template <class List>
  void cut(List& line, int64_t longest) const {
    if (std::ssize(line) <= longest) return;
    const auto closing = std::min(static_cast<int64_t>(tokenizer_->closing()), longest);
    line.erase(line.begin() + (longest - closing), line.end() - closing);
  }
  // Omits special tokens except kUnknown, which is written <unk>. The text is one line: line
  // separators in the pieces, as bytes or whole, become spaces (base/line_separators.h).
  std::string decode(const Ids& ids) const;
  std::string decode(const std::vector<std::string>& pieces) const;
  // separated: set to true if there were line separators.
  std::string decode(const std::vector<std::string>& pieces, bool& separated) const;
  // Pieces of the ids that decode() would write: special tokens except kUnknown are omitted.
  // behind: pieces of the ids after the vocabulary, if the sentence has such ids.
  std::vector<std::string> pieces(const Ids& ids,
                                  const std::vector<std::string>& behind = {}) const;
  WordJoins word_joins() const;
  // Tokens of a phrase inside a text. If the phrase is written without spaces between words, its
  // first and last token lose their space, provided that the vocabulary has them without it.
  Ids within_text(std::string_view phrase, Ids ids) const;

 private:
  std::shared_ptr<const Tokenizer> tokenizer_;
  std::shared_ptr<const Vocabulary> vocabulary_;
};

}  // namespace heed
