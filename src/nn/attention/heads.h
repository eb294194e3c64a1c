// Between [R,T,H·D] and [R,H,T,D].
#pragma once

#include "nn/tensor.h"

namespace heed {

inline Tensor split_heads(const Tensor& x, int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}
inline Tensor join_heads(const Tensor& x) { return x.transpose(1, 2).flatten(2); }

}  // namespace heed
