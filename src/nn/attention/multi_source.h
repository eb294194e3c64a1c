// Attention over several sources.
//   type: one_source    attends to one of them
//   type: multi_source  attends to all and combines the context vectors:
//     concat        context vectors concatenated: [c_1; …; c_K]        (Zoph and Knight 2016)
//     parallel      context vectors summed                             (Libovický et al. 2018)
//     serial        one source after the other, each with a residual connection and a separate
//                   norm: x_k = x_{k-1} + A_k(norm_k(x_{k-1})), or with post-norm
//                   x_k = norm_k(x_{k-1} + A_k(x_{k-1})) (Libovický et al. 2018, section 3);
//                   outside a block q_{k+1} = norm(q_k + c_k), c = Σ c_k
//     flat          one distribution over the positions of all: each source's keys and values are
//                   projected, U_a^k h and U_c^k h                     (Libovický and Helcl 2017)
//     hierarchical  attention over the context vectors:
//                   e_k = vᵀ tanh(W q + U_b^k c_k), β = softmax(e), c = Σ β_k U_c^k c_k
//                                                                      (Libovický and Helcl 2017)
// A source without tokens in a sentence has context vector 0 and β = 0.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nn/attention/attention.h"
#include "nn/attention/multi_source_config.h"

namespace heed {

// Base class: a separate attention over each source.
class SeparateSources : public Attention {
 public:
  // order: of the sources; empty: by name.
  SeparateSources(const MultiSourceConfig& config, const AttentionDims& dims,
                  std::vector<std::string> order = {});
  void start(const Sources& sources, StateView state) override;

 protected:
  const std::vector<std::string>& names() const { return names_; }
  // Width of the context of a source.
  int64_t width(size_t source) const { return widths_[source]; }
  // Context vector of the query [R,T,W] over a source; weights and losses are added to `result`.
  // [R,T,V]
  Tensor read(size_t source, const Tensor& query, const Tensor& positions, StateView state,
              Attended& result);

 private:
  std::vector<std::string> names_;
  std::vector<int64_t> widths_;
  std::vector<std::shared_ptr<Attention>> attentions_;
  std::vector<StateBlock> states_;  // of each
};

std::shared_ptr<Attention> make_flat(const MultiSourceConfig& config, const AttentionDims& dims);
std::shared_ptr<Attention> make_hierarchical(const MultiSourceConfig& config,
                                             const AttentionDims& dims);

}  // namespace heed
