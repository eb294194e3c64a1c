// The input of a convolutional model's first layer (Gehring et al. 2017).
#pragma once

#include <memory>

#include "model/convolution_config.h"
#include "nn/pass.h"
#include "nn/positions.h"

namespace heed {

// Embeddings with their positions, section 3.1 there: e_j = w_j + p_j.
class ConvolutionInput final : public Module {
 public:
  ConvolutionInput(const ConvolutionSettings& settings, int64_t input);
  Tensor forward(const Tensor& x, const Tensor& positions, const Pass& pass);  // [R,T,E]

 private:
  double dropout_;
  std::shared_ptr<Positions> positions_;
};

}  // namespace heed
