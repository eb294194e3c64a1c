// Rotation of queries and keys by their positions (Su et al. 2021, equations 14, 15 and 34).
#pragma once

#include "nn/torch.h"

namespace heed {

// x [R,H,T,D] at positions [R,T]: the pair of features 2i and 2i+1 by the angle p θ_i, θ [D/2].
inline Tensor rotated(const Tensor& x, const Tensor& positions, const Tensor& theta) {
  const Tensor angles =
      positions.to(x.scalar_type()).unsqueeze(1).unsqueeze(3) * theta;  // [R,1,T,D/2]
  const auto pairs = x.unflatten(3, {x.size(3) / 2, 2}).unbind(4);      // 2 × [R,H,T,D/2]
  const Tensor cos = angles.cos(), sin = angles.sin();
  return torch::stack({pairs[0] * cos - pairs[1] * sin, pairs[0] * sin + pairs[1] * cos}, 4)
      .flatten(3);
}

}  // namespace heed
