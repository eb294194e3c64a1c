// Settings of the score location_based (location_based.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct LocationBasedConfig final : ScorerConfig {
  int64_t max_positions = 512;
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
  bool needs_all_keys() const override { return true; }
  int64_t width_of_heads(const StageDims& dims) const override {
    return dims.heads * max_positions;
  }
};

}  // namespace heed
