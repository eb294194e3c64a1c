// Settings of `type: adaptive` (adaptive.cpp).
#pragma once

#include "nn/attention/rereading_config.h"
#include "nn/halting_config.h"

namespace heed {

struct AdaptiveAttentionConfig final : RereadingConfig {
  HaltingSettings halting;
  AdaptiveAttentionConfig() { update = Update::kGru; }
  void fields(Fields& f) override;
};

}  // namespace heed
