// The best tokens of each row of log-probabilities.
#pragma once

#include "nn/tensor.h"
#include "search/engine.h"

namespace heed {

// log_probs [R,V]. `count` is lowered to V. Error(kModel) if one of them is not a number.
TopK top_k(const Tensor& log_probs, int64_t count);
// The same by operations of any device.
TopK top_k_by_sorting(const Tensor& log_probs, int64_t count);

}  // namespace heed
