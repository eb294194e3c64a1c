// Common to multiplicative scores: queries and keys, optionally with learned projections, which may
// have fewer heads of keys than of queries.
#pragma once

#include "nn/attention/scores/projected_config.h"
#include "nn/attention/stages.h"
#include "nn/linear.h"

namespace heed {

class ProjectedScorer : public Scorer {
 public:
  ProjectedScorer(const ProjectedConfig& config, const StageDims& dims);
  Tensor prepare_queries(const Tensor& x, const Tensor& positions) override;
  Tensor prepare_keys(const Tensor& x, const Tensor& positions) override;

 protected:
  int64_t heads_, key_heads_;

 private:
  Linear query_, key_;
};

}  // namespace heed
