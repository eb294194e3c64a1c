// Learns a SentencePiece model without output of SentencePiece. The same text and settings always
// give the same model.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "text/tokenizer.h"

namespace heed {

struct SubwordTraining {
  int64_t size = 0;  // ids in all, with our four special pieces
  std::string model_type = "bpe";
  std::string normalization = "nmt_nfkc";
  double character_coverage = 1;
  bool byte_fallback = false;
  int64_t sample = 0;  // lines at most
  bool lower = false;
  uint64_t seed = 0;
  std::set<std::string> symbols{};  // further pieces, which no text is encoded to
};

// Returns the bytes of the model. Warns in the log if the text gives fewer pieces than requested,
// or if parts of it could not be used. Throws Error(kData) if the text is empty, and Error(kUsage)
// with the required size if `size` is smaller than the number of characters.
std::string train_sentencepiece(const SubwordTraining& training, const LineSource& lines);

}  // namespace heed
