// Vectors of length 1, whose dot products are cosines.
#pragma once

#include "nn/tensor.h"

namespace heed {

// x / |x| along the last dimension; zero vectors stay 0 and get no gradient.
inline Tensor unit(const Tensor& x) {
  constexpr double kSmallest = 1e-8;
  const Tensor norm = x.norm(2, -1, true);
  return (x / norm.clamp_min(kSmallest)).masked_fill(norm < kSmallest, 0);
}

}  // namespace heed
