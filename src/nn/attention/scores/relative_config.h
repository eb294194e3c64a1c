// Settings of the score relative (relative.cpp).
#pragma once

#include "nn/attention/scores/projected_config.h"

namespace heed {

struct RelativeConfig final : ProjectedConfig {
  int64_t farthest = 16;
  void fields(Fields& f) override;
  bool encodes_positions() const override { return true; }
  const char* read() const override { return "relative"; }
  std::optional<int64_t> clip() const override { return farthest; }
  bool needs_all_keys() const override { return true; }
  void check(const StageDims& dims, Problems& problems) const override;
};

}  // namespace heed
