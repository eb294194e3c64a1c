// Splitting and joining heads: [R,T,H·D] and [R,H,T,D]. by_sentence() and by_hypothesis() for
// tensors with the head dimension before the queries. Entries of a state with the head dimension.
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

// The entries of hypotheses [N·B,H,…] as those of one query each, [N,H,B,…], and back.
inline Tensor queries_of_hypotheses(const Tensor& x, int64_t hypotheses) {
  return heads_by_sentence(x.unsqueeze(2), hypotheses);
}
inline Tensor hypotheses_of_queries(const Tensor& x) { return x.transpose(1, 2).flatten(0, 1); }

// Pads [R,H,S',…] with zeros for the keys that were added since.  [R,H,S,…]
Tensor with_new_keys(const Tensor& x, int64_t keys);

}  // namespace heed
