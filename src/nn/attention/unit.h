// Directions of vectors, whose products are cosines.
#pragma once

#include "nn/tensor.h"

namespace heed {

// x / |x| along the last side; what is 0 stays 0.
inline Tensor unit(const Tensor& x) {
  constexpr double kSmallest = 1e-8;
  return x / x.norm(2, -1, true).clamp_min(kSmallest);
}

}  // namespace heed
