// Softmax over what may be read, and the score of what may not.
#pragma once

#include "nn/tensor.h"

namespace heed {

// The lowest finite score of a type, not -∞: a row of nothing else must not become NaN.
double lowest_score(torch::ScalarType type);

// Exactly 0 where the mask is false, and all 0 where nothing may be read.  [R,H,T,S]
Tensor masked_softmax(const Tensor& scores, const Tensor& mask);

}  // namespace heed
