// Vectors of length 1, whose dot products are cosines.
#pragma once

#include "nn/tensor.h"

namespace heed {

// x / |x| along the last dimension; zero vectors stay 0.
inline Tensor unit(const Tensor& x) {
  constexpr double kSmallest = 1e-8;
  return x / x.norm(2, -1, true).clamp_min(kSmallest);
}

}  // namespace heed
