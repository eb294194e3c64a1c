// Settings of the term distance_bias (distance_bias.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct DistanceBiasConfig final : TermConfig {
  int64_t beyond = 10;
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
};

}  // namespace heed
