// Vocabulary of a side in the order of Marian: </s>, <unk>, and the tokens; without <pad> and <s>.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "text/codec.h"

namespace heed {

struct MarianVocabulary {
  explicit MarianVocabulary(const Codec& codec);
  // Adds tokens that no text has until the size is a multiple of `unit`.
  void round_up(int64_t unit);
  // vocab.spm or vocab.yml, by the tokenizer. Returns its name. prefix: before "vocab".
  std::string save(const std::filesystem::path& folder, const std::string& prefix) const;

  std::vector<std::string> tokens;
  // The id in heed whose embedding each row has. Pieces that heed reads as <unk> have its own.
  std::vector<int32_t> ids;
  // Rows from here on are never generated.
  int64_t generated = 0;

 private:
  std::string pieces_;  // the SentencePiece model; "": words
};

}  // namespace heed
