// What outputs that score each piece of the vocabulary have in common. Tied, the weights of the
// scores are the target's embeddings (Press and Wolf 2017); a hidden state of another width goes
// through a projection first. Weight norm (OutputDims::norm) is that of the projection or of the
// weights, where they are not the embeddings.
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
  Tensor scores(const Step& step);              // [R,T,V]
  Tensor projected(const Step& step);           // [R,T,·] what the weights are multiplied with
  Tensor weight() const;                        // [V,·]
  const Tensor& bias() const { return bias_; }  // [V] or undefined
  int64_t vocabulary() const { return embedding_->size(); }

 private:
  std::shared_ptr<Embedding> embedding_;  // belongs to the model
  Linear to_embedding_;                   // none where the widths are the same, or not tied
  NormedWeight weight_;                   // [V,W]; undefined where it is tied
  Tensor bias_;
};

}  // namespace heed
