// Settings of the term distance (distance.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct DistanceConfig final : TermConfig {
  double alpha = 1.5;
  bool learned = false;
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
};

}  // namespace heed
