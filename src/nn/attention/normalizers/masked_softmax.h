// Softmax over what may be read.
#pragma once

#include "nn/tensor.h"

namespace heed {

// Exactly 0 where the mask is false, and all 0 where nothing may be read.  [R,H,T,S]
Tensor masked_softmax(const Tensor& scores, const Tensor& mask);

}  // namespace heed
