// Words of a line that are aligned: words, or pieces of a tokenizer whose links become links of
// words.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "align/alignment_model.h"
#include "text/codecs.h"

namespace heed {

struct SideWords {
  std::vector<std::string> words{};
  PieceWords ranges{};  // words of the line that each piece is part of; empty: they are words
};

class SideSplitter {
 public:
  // codec: of pieces, or nullptr for words.
  SideSplitter(std::shared_ptr<const Codec> codec, WordUnit unit, bool cased)
      : codec_(std::move(codec)), unit_(unit), cased_(cased) {}
  // line: well-formed UTF-8.
  SideWords split(const std::string& line) const;
  // Number of words that links may name.
  int64_t count_words(const std::string& line) const;

 private:
  std::shared_ptr<const Codec> codec_;
  WordUnit unit_;
  bool cased_;
};

// Links of words from links of pieces.
Links word_links(const Links& links, const SideWords& source, const SideWords& target);

}  // namespace heed
