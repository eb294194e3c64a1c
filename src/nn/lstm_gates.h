// An LSTM cell after its products, in one function with its gradient. Own code because separate
// operations pass over the gates eight times, which takes as long as the products at the batch sizes
// of training. The kernel is in kernels/kernels.h; a test compares it with the operations of
// libtorch, which take other types and devices, and HEED_PLAIN=1.
#pragma once

#include <utility>
#include <vector>

#include "nn/gradient_sum.h"
#include "nn/tensor.h"

namespace heed {

// A step of a tensor that was known for all steps at first: x[t], and where its gradient goes.
struct KnownStep {
  Tensor x;                      // [R,4W]; undefined: none
  GradientSumPointer gradients;  // of [T,R,4W]; nullptr: that of autograd
  int64_t t = 0;
};

// gates: tensors [R,4W] whose sum with `known` are the gates before the non-linearities (i, f, g,
// o), three with it at most; cell [R,W] → hidden, cell.
std::pair<Tensor, Tensor> lstm_gates(const std::vector<Tensor>& gates, const Tensor& cell,
                                     const KnownStep& known = {});
// The same by operations of libtorch.
std::pair<Tensor, Tensor> lstm_gates_plain(const std::vector<Tensor>& gates, const Tensor& cell);

}  // namespace heed
