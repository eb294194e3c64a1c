// Settings of the read-out weighted_sum (weighted_sum.h). Base class of those of other read-outs.
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct WeightedSumConfig : ReadOutConfig {
  std::optional<bool>
      project;  // values and the joined heads; default: with several heads, or inside a block
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
  int64_t context_width(const StageDims& dims) const override;
  bool is_weighted_sum() const override { return true; }
  bool shares_heads(const StageDims& dims) const override { return project.value_or(dims.project); }
};

}  // namespace heed
