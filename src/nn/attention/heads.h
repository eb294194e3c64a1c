// Splitting and joining heads: [R,T,H·D] and [R,H,T,D]. by_sentence() and by_hypothesis() for
// tensors with the head dimension before the queries.
#pragma once

#include "nn/tensor.h"

namespace heed {

inline Tensor split_heads(const Tensor& x, int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}
inline Tensor join_heads(const Tensor& x) { return x.transpose(1, 2).flatten(2); }

// [N·B,H,T,…] to [N,H,B·T,…], and back.
inline Tensor heads_by_sentence(const Tensor& x, int64_t hypotheses) {
  return x.unflatten(0, {-1, hypotheses}).transpose(1, 2).flatten(2, 3);
}
inline Tensor heads_by_hypothesis(const Tensor& x, int64_t hypotheses) {
  return x.unflatten(2, {hypotheses, -1}).transpose(1, 2).flatten(0, 1);
}

}  // namespace heed
