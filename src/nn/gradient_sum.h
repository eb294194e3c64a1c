// Gradient of a tensor that each time step reads, such as the keys and values of the source in a
// recurrent decoder. Own code because autograd computes a gradient of the size of the tensor at
// each step and sums them. Here the steps add to one sum in place, or store their factors for one
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
  // The gradient of x[i], used instead of total(). The caller writes each part once, and whole;
  // parts that were not requested are 0.
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

// Returns x with a sum that gradient_sum_of() finds; x itself if it has no gradient, or with
// HEED_PLAIN=1. Gradients of x from other operations are added to the sum.
Tensor with_gradient_sum(const Tensor& x);
// nullptr if x is not a result of with_gradient_sum(), or if nothing has a gradient.
GradientSumPointer gradient_sum_of(const Tensor& x);

// The sum that an operation has stored for its backward pass.
GradientSum& gradient_sum(const c10::IValue& stored);

// a·b and a·bᵀ as in torch::matmul(). The gradient of b is added to its sum, if b has one.
// a [..,T,S], b [..,S,D] -> [..,T,D];  a [..,T,D], b [..,S,D] -> [..,T,S]
Tensor step_product(const Tensor& a, const Tensor& b);
Tensor step_product_transposed(const Tensor& a, const Tensor& b);

}  // namespace heed
