// A gradient in bfloat16 that operations of an autograd graph share. The one whose backward pass
// computes or reads the gradient first also rounds it; the others use the result.
//
// Own code because autograd passes only the float32 gradient from one operation to the next. The
// operations that share a gradient have a pointer to the same RoundedGradient in their saved data,
// since the forward pass. So it belongs to their graph, like all that they save.
#pragma once

#include "nn/product.h"
#include "nn/tensor.h"

namespace torch::autograd {
struct AutogradContext;
}

namespace heed {

class RoundedGradient final : public torch::CustomClassHolder {
 public:
  // gradient: the tensor as autograd passes it
  void put(const Tensor& gradient, const RoundedAndSum& rounded);
  // Removes and returns the rounding; undefined if that of another tensor was put. That happens
  // where autograd has added a second gradient.
  RoundedAndSum take(const Tensor& gradient);

 private:
  Tensor gradient_;
  int64_t version_ = 0;
  RoundedAndSum rounded_;
};
using RoundedGradientPointer = c10::intrusive_ptr<RoundedGradient>;
// The one in saved data, where it is a capsule.
RoundedGradient& rounded_gradient(const c10::IValue& stored);

// For an operation that reads the gradient of its result in bfloat16. The forward pass stores an
// empty RoundedGradient in the saved data. The operation that reads the result may fill it in its
// backward pass.
void store_rounded_gradient(torch::autograd::AutogradContext& context);
RoundedGradientPointer stored_rounded_gradient(const torch::autograd::AutogradContext& context);
// The gradient [..,K] as rows [n,K] in bfloat16, and the sums of its columns if they are requested:
// from the stored RoundedGradient, if it has them.
RoundedAndSum rounded_rows(const torch::autograd::AutogradContext& context, const Tensor& gradient,
                           bool with_sum);

}  // namespace heed
