// Common to outputs that score each token of the vocabulary. Tied, the weights of the scores are
// the target's embeddings (Press and Wolf 2017); a hidden state of another width is projected
// first. Weight norm (OutputDims::norm) applies to the projection, or to the weights if they are
// not tied.
#pragma once

#include "model/output.h"
#include "nn/linear.h"

namespace heed {

class VocabularyScores : public Output {
 public:
  VocabularyScores(const OutputDims& dims, std::shared_ptr<Embedding> embedding, bool bias);
  // Ids behind the vocabulary are embedded as kUnknown.
  Tensor embed(const Tensor& tokens, const StateView& state) override;
  void freeze() override { weight_.freeze(); }

 protected:
  Tensor scores(const Tensor& hidden);          // [..,W] -> [..,V]
  Tensor projected(const Tensor& hidden);       // [..,W] -> [..,·] factor of the weights
  Tensor weight() const;                        // [V,·]
  const Tensor& bias() const { return bias_; }  // [V] or undefined
  int64_t vocabulary() const { return embedding_->size(); }

 private:
  std::shared_ptr<Embedding> embedding_;  // belongs to the model
  Linear to_embedding_;                   // none if the widths are equal or it is not tied
  NormedWeight weight_;                   // [V,W]; undefined if tied
  Tensor bias_;
};

}  // namespace heed
