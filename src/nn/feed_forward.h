// The position-wise feed-forward sublayer of a Transformer block (Vaswani et al. 2017, equation 2).
#pragma once

#include "nn/layer_config.h"
#include "nn/linear.h"
#include "nn/pass.h"
#include "nn/tensor.h"

namespace heed {

class RoundedGradient;

class FeedForward final : public Module {
 public:
  FeedForward(int64_t width, int64_t hidden, Activation activation, double dropout);
  Tensor forward(const Tensor& x, const Pass& pass);  // [R,T,W] -> [R,T,W]

 private:
  Tensor relu_in_blocks(const Tensor& x, const Pass& pass);

  Activation activation_;
  double dropout_;
  Linear inner_, gate_, outer_;
};

// The gradient of y that the backward pass of FeedForward reads (rounded_gradient.h); nullptr if y
// is not a result of FeedForward that it has computed in one operation in bfloat16.
c10::intrusive_ptr<RoundedGradient> rounded_gradient_of_feed_forward(const Tensor& y);

}  // namespace heed
