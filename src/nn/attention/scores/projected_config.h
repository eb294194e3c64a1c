// Settings that multiplicative scores have in common (projected.h).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct ProjectedConfig : ScorerConfig {
  std::optional<bool> project;  // default: with several heads, or inside a block
  int64_t width = 0;            // of all projected heads together; 0: the width of the query
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
  int64_t width_of_heads(const StageDims& dims) const override;
  bool shares_heads(const StageDims& dims) const override { return project.value_or(dims.project); }
};

}  // namespace heed
