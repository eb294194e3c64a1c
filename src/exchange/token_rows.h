// The vocabulary of another toolkit in the order of heed's: which row of its embeddings each id has.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

// Output bias of a token that is never generated: e^-100 is 0 beside any probability, and label
// smoothing, which averages over the vocabulary, still computes with it.
inline constexpr double kNeverBias = -100;

// Ids of the other toolkit for the four special tokens of heed.
struct SpecialIds {
  int64_t pad = 0, unknown = 0, begin = 0, end = 0;
  // Where a target begins with the padding token or the end, heed's kBegin has its embedding, and is
  // never generated.
};

struct TokenRows {
  Vocabulary vocabulary;
  std::vector<int64_t> rows;          // by id of heed: the row in the other model
  std::vector<std::string> replaced;  // tokens that a vocabulary of heed cannot have
};

// tokens: by id. size: rows of the embedding; those without a token, and tokens that heed cannot
// have, are called <id:N>. Throws Error(kModel) for an id beyond the rows; `name` is the file's.
TokenRows token_rows(const std::map<int64_t, std::string>& tokens, const SpecialIds& special,
                     int64_t size, const std::string& name);

}  // namespace heed
