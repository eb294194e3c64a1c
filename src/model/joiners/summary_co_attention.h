// Co-attention of two sources, each of which is reduced to one row, its summary (Lu, Yang, Batra
// and Parikh 2016, section 3.3). Q [S,W] is the first source, V the other.
//   alternating   q̂ = A(Q; 0),  v̂ = A(V; q̂),  q = A(Q; v̂)                          (equation 6)
//                 A(X; g): H = tanh(W_x X + (W_g g) 1ᵀ),  a = softmax(w_hᵀ H),  Σ_i a_i x_i
//                 with separate parameters for each of the three, as in the authors' code
//   parallel      C = tanh(Qᵀ W_b V)                                                   (equation 3)
//                 H_v = tanh(W_v V + (W_q Q) C),  H_q = tanh(W_q Q + (W_v V) Cᵀ)       (equation 4)
//                 a_v = softmax(w_hvᵀ H_v),  a_q = softmax(w_hqᵀ H_q),  Σ_i a_i x_i    (equation 5)
// The decoder attends to q and v; its initial state is computed from [q; v]. A source without
// tokens in a sentence has the summary 0 and does not guide the other source.
#pragma once

#include "model/joiner.h"

namespace heed {

struct SummaryCoAttentionConfig : JoinerConfig {
  int64_t hidden = 512;
  double dropout = 0;
  std::optional<std::string> first;  // Q; none: the first by name
  void fields(Fields& f) const override;
  void check(const AllSourceDims& sources, Problems& problems) const override;
  AllSourceDims dims(const AllSourceDims& sources) const override;
  // The names of Q and V.
  std::pair<std::string, std::string> order(const AllSourceDims& sources) const;
};

struct AlternatingCoAttentionConfig final : SummaryCoAttentionConfig {
  std::shared_ptr<Joiner> build(const AllSourceDims& sources) const override;
};

struct ParallelCoAttentionConfig final : SummaryCoAttentionConfig {
  std::shared_ptr<Joiner> build(const AllSourceDims& sources) const override;
};

}  // namespace heed
