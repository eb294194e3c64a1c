// Splitting and joining heads: [R,T,H·D] and [R,H,T,D]. by_sentence() and by_hypothesis() for
// tensors with the head dimension before the queries. Entries of a state with the head dimension.
// Products of H heads of queries with G heads of keys and values, of which each serves H/G heads in
// succession (Ainslie et al. 2023, section 2.2).
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

// The heads that share a head of keys as queries of one head: [R,H,T,…] as [R,G,H/G·T,…], and back.
inline Tensor heads_by_group(const Tensor& x, int64_t groups) {
  return x.size(1) == groups ? x : x.unflatten(1, {groups, -1}).flatten(2, 3);
}
inline Tensor heads_of_groups(const Tensor& x, int64_t heads) {
  return x.size(1) == heads ? x : x.unflatten(2, {heads / x.size(1), -1}).flatten(1, 2);
}
// Repeats each head for those that share it.  [R,G,S,D] -> [R,H,S,D]
inline Tensor repeated_heads(const Tensor& x, int64_t heads) {
  return x.size(1) == heads ? x : x.repeat_interleave(heads / x.size(1), 1);
}

// q·k and Σ a v, as step_product_transposed() and step_product() (nn/gradient_sum.h).
// queries [R,H,T,D], keys [R,G,S,D] -> [R,H,T,S];  weights [R,H,T,S], values [R,G,S,V] -> [R,H,T,V]
Tensor head_products(const Tensor& queries, const Tensor& keys);
Tensor head_sums(const Tensor& weights, const Tensor& values);

// Pads [R,H,S',…] with zeros for the keys that were added since.  [R,H,S,…]
Tensor with_new_keys(const Tensor& x, int64_t keys);

}  // namespace heed
