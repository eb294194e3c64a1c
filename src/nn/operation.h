// Access to the own operations of an autograd graph.
#pragma once

#include "nn/torch.h"

namespace heed {

// Saved data of the operation that has computed y as its first result; nullptr if that was not an
// `Operation`, or if it has no gradient. Lives as long as y.
template <class Operation>
torch::autograd::AutogradContext* saved_by(const Tensor& y) {
  if (!y.defined() || y.output_nr() != 0) return nullptr;
  auto* node = dynamic_cast<torch::autograd::CppNode<Operation>*>(y.grad_fn().get());
  return node == nullptr ? nullptr : &node->ctx_;
}

}  // namespace heed
