// Attention over several sources.
//   type: one_source    reads one of them
//   type: multi_source  reads all and combines what it finds:
//     concat        a context each, side by side: [c_1; …; c_K]        (Zoph and Knight 2016)
//     parallel      a context each, summed                             (Libovický et al. 2018)
//     serial        one after the other, in the order that is given, each a sublayer with a residual
//                   and a norm of its own: x_k = x_{k-1} + A_k(norm_k(x_{k-1})), or where a block
//                   normalises behind x_k = norm_k(x_{k-1} + A_k(x_{k-1})) (Libovický et al. 2018,
//                   section 3); outside a block q_{k+1} = norm(q_k + c_k), c = Σ c_k
//     flat          one distribution over the positions of all: each source's keys and values are
//                   projected, U_a^k h and U_c^k h                     (Libovický and Helcl 2017)
//     hierarchical  a context each, then attention over these:
//                   e_k = vᵀ tanh(W q + U_b^k c_k), β = softmax(e), c = Σ β_k U_c^k c_k
//                                                                      (Libovický and Helcl 2017)
// Of a sentence that lacks a source nothing is read there: its context is 0, its β too.
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
  std::shared_ptr<AttentionConfig> attention;  // of each source, with parameters of its own
  MultiSourceConfig();
  void fields(Fields& f) const override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  bool reads_several() const override { return true; }
  int64_t context_width(const AttentionDims& dims) const override;
  int64_t weight_heads(const AttentionDims&) const override { return 0; }  // those of its parts
  std::shared_ptr<Attention> build(const AttentionDims& dims) const override;
};

// The same place, for one of its sources; empty: the first by name. Where there is none such, which
// a config's check tells, the place itself.
AttentionDims dims_of_source(const AttentionDims& dims, const std::string& name);
// The same place, for one source of keys and values of this width, in no order.
AttentionDims dims_of_width(const AttentionDims& dims, int64_t width);
// A source each, with an attention of its own.
class SeparateSources : public Attention {
 public:
  // In this order; empty: by name.
  SeparateSources(const MultiSourceConfig& config, const AttentionDims& dims,
                  std::vector<std::string> order = {});
  void start(const Sources& sources, StateView state) override;

 protected:
  const std::vector<std::string>& names() const { return names_; }
  // Width of the context of a source.
  int64_t width(size_t source) const { return widths_[source]; }
  // What the query [R,T,W] finds in a source, noted in `result` but for its context.  [R,T,V]
  Tensor read(size_t source, const Tensor& query, const Tensor& positions, StateView state,
              Attended& result);

 private:
  std::vector<std::string> names_;
  std::vector<int64_t> widths_;
  std::vector<std::shared_ptr<Attention>> attentions_;
  std::vector<StateBlock> states_;  // of each
};

// What is wrong with a name that no source has.
std::string no_such_source(const AttentionDims& dims, const std::string& name);

std::shared_ptr<Attention> make_flat(const MultiSourceConfig& config, const AttentionDims& dims);
std::shared_ptr<Attention> make_hierarchical(const MultiSourceConfig& config,
                                             const AttentionDims& dims);

}  // namespace heed
