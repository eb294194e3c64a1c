// vᵀ tanh(q + k) of all queries and keys, in one function with its gradient. Own code because
// autograd would store tanh(q + k), a tensor [R,H,T,S,D], and pass over it six times; here it is
// computed again in the backward pass. The kernel is in kernels/kernels.h; a test compares it with
// the operations of libtorch, which take other types and devices, and HEED_PLAIN=1.
#pragma once

#include "nn/tensor.h"

namespace heed {

// queries [R,H,T,D], keys [R,H,S,D], or [R,H,1|T,S,D] of each query, v [H,D] -> [R,H,T,S]
Tensor additive_scores(const Tensor& queries, const Tensor& keys, const Tensor& v);

}  // namespace heed
