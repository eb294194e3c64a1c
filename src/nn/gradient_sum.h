// The gradient of a tensor that each time step reads, as the keys and values of the source in a
// recurrent decoder. Own code because autograd computes a gradient of the size of the tensor at
// each step and sums them; here the steps add to one sum in place, or leave their factors for one
// product over all steps.
#pragma once

#include <vector>

#include "nn/tensor.h"

namespace heed {

class GradientSum final : public torch::CustomClassHolder {
 public:
  explicit GradientSum(const Tensor& x) : sizes_(x.sizes().vec()), options_(x.options()) {}
  // Zeros at first; the caller adds to it.  [sizes of x]
  Tensor& total();
  // The gradient of x[i], written whole by the caller, once; those not asked for are 0. Instead of
  // total().
  Tensor part(int64_t i);
  // Adds aᵀ·b.  a [..,T,S], b [..,T,D], for x [..,S,D]
  void add_product(const Tensor& a, const Tensor& b);
  // The whole sum, which is empty afterwards; undefined: nothing was added.
  Tensor take();

 private:
  std::vector<int64_t> sizes_;
  torch::TensorOptions options_;
  Tensor total_;
  std::vector<bool> written_;         // parts; empty: total_ is whole
  std::vector<Tensor> left_, right_;  // factors of the products
};
using GradientSumPointer = c10::intrusive_ptr<GradientSum>;

// x, with a sum that gradient_sum_of() finds; x itself if it has no gradient, or with HEED_PLAIN=1.
// The gradient that other operations give to it is added to the sum.
Tensor with_gradient_sum(const Tensor& x);
// nullptr: x is no result of with_gradient_sum(), or nothing has a gradient.
GradientSumPointer gradient_sum_of(const Tensor& x);

// From where an operation stores it for its backward pass.
GradientSum& gradient_sum(const c10::IValue& stored);

// a·b and a·bᵀ as of torch::matmul(), with the gradient of b in its sum, if it has one.
// a [..,T,S], b [..,S,D] -> [..,T,D];  a [..,T,D], b [..,S,D] -> [..,T,S]
Tensor step_product(const Tensor& a, const Tensor& b);
Tensor step_product_transposed(const Tensor& a, const Tensor& b);

}  // namespace heed
