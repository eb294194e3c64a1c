// Tokenizer and vocabulary of the source or target side: from raw line to ids and from ids to raw
// line.
#pragma once

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

// Immutable: every function may be called from several threads.
class Codec {
 public:
  Codec(std::shared_ptr<const Tokenizer> tokenizer, std::shared_ptr<const Vocabulary> vocabulary)
      : tokenizer_(std::move(tokenizer)), vocabulary_(std::move(vocabulary)) {}

  const Tokenizer& tokenizer() const { return *tokenizer_; }
  const Vocabulary& vocabulary() const { return *vocabulary_; }
  const std::shared_ptr<const Vocabulary>& shared_vocabulary() const { return vocabulary_; }

  // The id of kMarkerPiece, where sentences are marked.
  std::optional<int32_t> marker() const;

  // The id of the piece that an encoded line begins with, its language; of a target it is forced.
  std::optional<int32_t> opening() const;

  // Without kBegin and kEnd; no id is a special one but kUnknown, whatever the text holds.
  // `surface`, if given, receives the pieces as they stand in the text.
  Ids encode(std::string_view line, std::vector<std::string>* surface = nullptr) const;
  // Specials other than kUnknown are left out; kUnknown is written <unk>. The text is one line:
  // what the pieces hold of line separators, as bytes or whole, is spaces (base/line_separators.h).
  std::string decode(const Ids& ids) const;
  std::string decode(const std::vector<std::string>& pieces) const;
  // separated: becomes true if there were such separators.
  std::string decode(const std::vector<std::string>& pieces, bool& separated) const;
  // One for each id that decode() would write: specials other than kUnknown are left out. behind:
  // what the ids behind the vocabulary stand for, where a sentence has some of its own.
  std::vector<std::string> pieces(const Ids& ids,
                                  const std::vector<std::string>& behind = {}) const;
  WordJoins word_joins() const;
  // The tokens of a phrase that stands inside a text: where the phrase is written without spaces between
  // words, its first and last token lose their space, if the vocabulary has them without.
  Ids within_text(std::string_view phrase, Ids ids) const;

 private:
  std::shared_ptr<const Tokenizer> tokenizer_;
  std::shared_ptr<const Vocabulary> vocabulary_;
};

}  // namespace heed
