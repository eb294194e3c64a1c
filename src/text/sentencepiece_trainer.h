// Learns a SentencePiece model, quietly, and always the same one from the same text and settings.
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

// The bytes of the model. Warns in the log if the text gives fewer pieces than asked for, or if
// something of it could not be learned from. Throws Error(kData) if there is no text, Error(kUsage)
// if `size` is smaller than the number of characters, with the number needed.
std::string train_sentencepiece(const SubwordTraining& training, const LineSource& lines);

}  // namespace heed
