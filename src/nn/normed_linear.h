// W x + b, W with weight norm if it is wanted: a row of it is g v / |v| (Salimans and Kingma 2016), as
// in the layers of a convolutional model (Gehring et al. 2017, section 3.5).
#pragma once

#include <optional>

#include <torch/nn/module.h>

#include "nn/tensor.h"

namespace heed {

class NormedLinear final : public torch::nn::Module {
 public:
  // norm: the length that rows begin with; none: without weight norm.
  NormedLinear(int64_t from, int64_t to, std::optional<double> norm, bool bias = true);
  Tensor forward(const Tensor& x) const;  // [..,I] -> [..,O]

 private:
  Tensor weight_;    // [O,I] without weight norm
  Tensor v_, gain_;  // [O,I], g [O] with it
  Tensor bias_;      // [O] or undefined
};

// Rows g v / |v| of v [O,..].
Tensor weight_normed(const Tensor& v, const Tensor& gain);

// x, whose gradient is multiplied by `scale` on its way back.
Tensor with_scaled_gradient(const Tensor& x, double scale);

}  // namespace heed
