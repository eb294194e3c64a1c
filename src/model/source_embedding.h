// Embedding of the tokens of a source with its factors (Sennrich and Haddow 2016, section 2.1):
//   x = [E w + Σ E_k f_k ; E_l f_l ; …]
// of the token w and its labels f; k are the factors that are added, l the concatenated ones.
#pragma once

#include <memory>
#include <vector>

#include "model/batch_tensors.h"
#include "model/factor_config.h"
#include "nn/embedding.h"

namespace heed {

class SourceEmbedding {
 public:
  struct Factor {
    std::shared_ptr<Embedding> labels;
    Combine combine = Combine::kConcatenate;
  };

  SourceEmbedding() = default;
  // factors: in the order of SourceBatch::factors.
  SourceEmbedding(std::shared_ptr<Embedding> tokens, std::vector<Factor> factors)
      : tokens_(std::move(tokens)), factors_(std::move(factors)) {}

  const std::shared_ptr<Embedding>& tokens() const { return tokens_; }
  // Applies the dropout of the tokens.  [R,S,E]
  Tensor embed(const SourceBatch& source, const Pass& pass) const;

 private:
  std::shared_ptr<Embedding> tokens_;
  std::vector<Factor> factors_;
};

}  // namespace heed
