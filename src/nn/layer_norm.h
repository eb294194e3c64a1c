// Layer normalization (Ba et al. 2016) over the last dimension.
//
// On a CPU one pass of a kernel (normalize() of kernels/kernels.h) and one of its gradient, because
// libtorch's takes two and three. In bf16 the kernel also rounds the result for the products that
// read it (rounded_input()).
#pragma once

#include "nn/norm.h"
#include "nn/tensor.h"

namespace heed {

// x [..,W] in bfloat16 as an input of products; that of the kernel if x is the result of a LayerNorm
// in a pass with gradients.
Tensor rounded_input(const Tensor& x);

class LayerNorm final : public Norm {
 public:
  explicit LayerNorm(int64_t width);
  // The gradients of both branches are summed in the pass of the gradient.
  Branches branches(const Tensor& x) override;

 private:
  Tensor weight_, bias_;  // gain and bias  [W]
};

}  // namespace heed
