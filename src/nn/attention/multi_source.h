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

namespace heed {

struct OneSourceConfig final : AttentionConfig {
  std::string name;  // empty: the first
  std::shared_ptr<AttentionConfig> attention;
  OneSourceConfig();
  void fields(Fields& f) const override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  bool reads_several() const override { return true; }
  std::string source() const override { return name; }
  int64_t context_width(const AttentionDims& dims) const override;
  int64_t weight_heads(const AttentionDims& dims) const override;
  bool weights_have_gradient() const override;
  std::shared_ptr<Attention> build(const AttentionDims& dims) const override;

 private:
  AttentionDims own_dims(const AttentionDims& dims) const;
};

// `combine:` of several sources.
struct SourceCombination : KindSettings {
  enum class How { kConcat, kParallel, kSerial, kFlat, kHierarchical };
  explicit SourceCombination(How how) : how(how) {}
  void fields(Fields&) const override {}
  How how;
};
struct SerialCombination final : SourceCombination {
  SerialCombination() : SourceCombination(How::kSerial) {}
  void fields(Fields& f) const override;
  void check(const AttentionDims& dims, Problems& problems) const;
  std::vector<std::string> order;  // of the sources; none: by name
  bool sublayers = true;
};

struct MultiSourceConfig final : AttentionConfig {
  std::shared_ptr<SourceCombination> combine;
  std::shared_ptr<AttentionConfig> attention;  // of each source, with separate parameters
  MultiSourceConfig();
  void fields(Fields& f) const override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  bool reads_several() const override { return true; }
  int64_t context_width(const AttentionDims& dims) const override;
  int64_t weight_heads(const AttentionDims&) const override { return 0; }  // those of its parts
  std::shared_ptr<Attention> build(const AttentionDims& dims) const override;
};

// Dimensions for one of the sources; empty name: the first by name. Returns `dims` for an unknown
// source, which the check of the config reports.
AttentionDims dims_of_source(const AttentionDims& dims, const std::string& name);
// Dimensions for one source whose keys and values have this width and no order.
AttentionDims dims_of_width(const AttentionDims& dims, int64_t width);
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

// Error message for a name that no source has.
std::string no_such_source(const AttentionDims& dims, const std::string& name);

std::shared_ptr<Attention> make_flat(const MultiSourceConfig& config, const AttentionDims& dims);
std::shared_ptr<Attention> make_hierarchical(const MultiSourceConfig& config,
                                             const AttentionDims& dims);

}  // namespace heed
