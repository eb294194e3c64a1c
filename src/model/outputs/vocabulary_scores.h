// What outputs that score each piece of the vocabulary have in common. Tied, the weights of the
// scores are the target's embeddings (Press and Wolf 2017); a hidden state of another width goes
// through a projection first.
#pragma once

#include <torch/nn/modules/linear.h>

#include "model/output.h"

namespace heed {

class VocabularyScores : public Output {
 public:
  VocabularyScores(const OutputDims& dims, bool bias);
  // Ids behind the vocabulary are embedded as kUnknown.
  Tensor embed(const Tensor& tokens, State& state) override;

 protected:
  Tensor scores(const Step& step);              // [R,T,V]
  Tensor projected(const Step& step);           // [R,T,·] what the weights are multiplied with
  const Tensor& weight() const;                 // [V,·]
  const Tensor& bias() const { return bias_; }  // [V] or undefined
  int64_t vocabulary() const { return weight().size(0); }

 private:
  std::shared_ptr<Embedding> embedding_;  // belongs to the model
  torch::nn::Linear to_embedding_;
  Tensor weight_, bias_;
};

}  // namespace heed
