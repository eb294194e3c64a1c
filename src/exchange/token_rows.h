// Vocabulary of another toolkit in heed's order, with the row of each id in the embeddings of the
// other toolkit.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

// Output bias of a token that is never generated. e^-100 is 0 relative to any probability, and
// label smoothing, which averages over the vocabulary, still gives finite values.
inline constexpr double kNeverBias = -100;

// Ids of heed's four special tokens in the other toolkit.
struct SpecialIds {
  int64_t pad = 0, unknown = 0, begin = 0, end = 0;
  // A target may begin with the padding token, the end or a token of text, such as a language. Then
  // kBegin of heed has the embedding of that token too and is never generated.
};

struct TokenRows {
  Vocabulary vocabulary;
  std::vector<int64_t> rows;          // by id in heed: row in the other model
  std::vector<std::string> replaced;  // tokens that a vocabulary of heed cannot have
  // False if kBegin has the row of another token.
  bool has_own_begin() const;
  // Warns of `replaced`. name: name of the file.
  void warn_of_replaced(const std::string& name) const;
};

// tokens: by id. size: number of rows of the embedding. Rows without a token, and tokens that heed
// cannot have, are called <id:N>. Throws Error(kModel) for an id beyond the rows. name: name of the
// file.
TokenRows token_rows(const std::map<int64_t, std::string>& tokens, const SpecialIds& special,
                     int64_t size, const std::string& name);

}  // namespace heed
