// Softmax and maximum over the readable positions.
#pragma once

#include "nn/tensor.h"

namespace heed {

// The lowest finite score of a type, not -∞, so that a row without readable positions is not NaN.
double lowest_score(torch::ScalarType type);

// Exactly 0 where the mask is false; all 0 in a row without readable positions.  [R,H,T,S]
Tensor masked_softmax(const Tensor& scores, const Tensor& mask);

// The greatest score where the mask is true; 0 in a row without readable positions.
// [..,S] -> [..]
Tensor masked_max(const Tensor& scores, const Tensor& mask);

}  // namespace heed
