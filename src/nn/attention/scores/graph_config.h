// Settings of the score graph (graph.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct GraphConfig final : ScorerConfig {
  bool project = true;  // false: queries and keys are W h already
  int64_t width = 0;
  double slope = 0.2;
  void fields(Fields& f) override;
  int64_t width_of_heads(const StageDims& dims) const override {
    return project && width > 0 ? width : dims.query;
  }
  void check(const StageDims& dims, Problems& problems) const override;
};

}  // namespace heed
