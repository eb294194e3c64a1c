// W x + b, W with weight norm if it is wanted: a row of it is g v / |v| (Salimans and Kingma 2016), as
// in the layers of a convolutional model (Gehring et al. 2017, section 3.5).
#pragma once

#include <optional>

#include <torch/nn/module.h>

#include "nn/tensor.h"

namespace heed {

// The weight [O,..] of a layer: a parameter of the module `owner`, or v and g of one with weight norm.
class NormedWeight {
 public:
  NormedWeight() = default;
  // norm: the length that rows begin with; none: without weight norm.
  NormedWeight(torch::nn::Module& owner, c10::IntArrayRef shape, std::optional<double> norm);
  bool defined() const { return v_.defined(); }
  Tensor get() const;  // g v / |v|, row by row; without weight norm v

 private:
  Tensor v_;     // [O,..]
  Tensor gain_;  // g [O], undefined without weight norm
};

class NormedLinear final : public torch::nn::Module {
 public:
  // norm: NormedWeight's.
  NormedLinear(int64_t from, int64_t to, std::optional<double> norm, bool bias = true);
  Tensor forward(const Tensor& x) const;  // [..,I] -> [..,O]

 private:
  NormedWeight weight_;  // [O,I]
  Tensor bias_;          // [O] or undefined
};

// x, whose gradient is multiplied by `scale` on its way back.
Tensor with_scaled_gradient(const Tensor& x, double scale);

}  // namespace heed
