// The input of a Transformer's first layer.
#pragma once

#include <memory>

#include "model/transformer_config.h"
#include "nn/linear.h"
#include "nn/norm.h"
#include "nn/pass.h"
#include "nn/positions.h"

namespace heed {

// Embeddings scaled by √E, projected to the width of the model, with position encodings,
// normalization if `embedding_norm`, and dropout.
class TransformerInput final : public Module {
 public:
  TransformerInput(const TransformerSettings& settings, int64_t input);
  Tensor forward(const Tensor& x, const Tensor& positions, const Pass& pass);  // [R,T,E] -> [R,T,W]

 private:
  double scale_, dropout_;
  Linear to_width_;  // none if E = W
  std::shared_ptr<Positions> positions_;
  std::shared_ptr<Norm> norm_;  // with `embedding_norm`
};

}  // namespace heed
