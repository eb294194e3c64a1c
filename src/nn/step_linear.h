// A linear layer that is applied at each time step with the same weight, as in a recurrent network.
// Own code because autograd computes the gradient of the weight at every step, a product of few
// rows, and sums them; here it is one product over the rows of all steps. A test holds it equal to
// torch::linear.
#pragma once

#include "nn/rounded_gradient.h"
#include "nn/tensor.h"

namespace heed {

// Lives for one walk over the steps; its tensors belong to one autograd graph.
class StepLinear {
 public:
  // weight [O,I]; bias [O] or undefined. shared: the gradient, for results that are only summed
  // with those of another StepLinear; nullptr: not shared.
  explicit StepLinear(const Tensor& weight, const Tensor& bias = {},
                      RoundedGradientPointer shared = nullptr);
  Tensor operator()(const Tensor& x) const;  // [..,I] -> [..,O]

 private:
  Tensor weight_, bias_;
  Tensor anchor_;  // [], whose backward comes after that of all steps; undefined without gradient
  c10::intrusive_ptr<torch::CustomClassHolder> record_;  // inputs and output gradients of the steps
};

}  // namespace heed
