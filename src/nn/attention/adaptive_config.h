// Settings of `type: adaptive` (adaptive.cpp).
#pragma once

#include "nn/attention/rereading_config.h"

namespace heed {

struct AdaptiveAttentionConfig final : RereadingConfig {
  int64_t most = 4;
  double epsilon = 0.01, ponder = 0.01;
  AdaptiveAttentionConfig() { update = Update::kGru; }
  void fields(Fields& f) override;
};

}  // namespace heed
