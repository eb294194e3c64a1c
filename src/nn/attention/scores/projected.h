// Common to multiplicative scores: queries and keys, optionally with learned projections.
#pragma once

#include "nn/attention/stages.h"
#include "nn/linear.h"

namespace heed {

struct ProjectedConfig : ScorerConfig {
  std::optional<bool> project;  // default: with several heads, or inside a block
  int64_t width = 0;            // of all projected heads together; 0: the width of the query
  void fields(Fields& f) const override;
  void check(const StageDims& dims, Problems& problems) const override;
  int64_t width_of_heads(const StageDims& dims) const override;
};

class ProjectedScorer : public Scorer {
 public:
  ProjectedScorer(const ProjectedConfig& config, const StageDims& dims);
  Tensor prepare_queries(const Tensor& x, const Tensor& positions) override;
  Tensor prepare_keys(const Tensor& x, const Tensor& positions) override;

 protected:
  int64_t heads_;

 private:
  Linear query_, key_;
};

// q·k / √D of prepared queries and keys (Vaswani et al. 2017, equation 1).  [R,H,T,S]
Tensor scaled_product(const Tensor& queries, const Tensor& keys);

}  // namespace heed
