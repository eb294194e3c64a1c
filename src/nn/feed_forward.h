// The position-wise feed-forward sublayer of a Transformer block (Vaswani et al. 2017, equation 2)
// and the residual connection around a sublayer.
#pragma once

#include <functional>

#include <torch/nn/modules/normalization.h>

#include "config/fields.h"
#include "nn/linear.h"
#include "nn/pass.h"
#include "nn/tensor.h"

namespace heed {

// relu, gelu: W2 f(W1 x + b1) + b2; gated: W2 (silu(W1 x + b1) ⊙ (W3 x + b3)) + b2 (Shazeer 2020).
enum class Activation { kRelu, kGelu, kGated };
const Words<Activation>& activation_words();

class FeedForward final : public Module {
 public:
  FeedForward(int64_t width, int64_t hidden, Activation activation, double dropout);
  Tensor forward(const Tensor& x, const Pass& pass);  // [R,T,W] -> [R,T,W]

 private:
  Activation activation_;
  double dropout_;
  Linear inner_, gate_, outer_;
};

// pre: x + dropout(f(norm(x))); post: norm(x + dropout(f(x))).
enum class NormPlace { kPre, kPost };
const Words<NormPlace>& norm_place_words();

class Residual final : public Module {
 public:
  Residual(int64_t width, NormPlace place, double dropout);
  Tensor forward(const Tensor& x, const Pass& pass,
                 const std::function<Tensor(const Tensor&)>& inner);
  // The same for an f that applies dropout itself, with this probability.
  Tensor around(const Tensor& x, const std::function<Tensor(const Tensor&)>& inner);
  double dropout_probability() const { return dropout_; }

 private:
  NormPlace place_;
  double dropout_;
  torch::nn::LayerNorm norm_;
};

}  // namespace heed
