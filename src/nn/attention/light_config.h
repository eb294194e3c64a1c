// Settings of `type: average` and `type: ssru` (light.cpp).
#pragma once

#include "nn/attention/attention_config.h"

namespace heed {

struct LightConfig : AttentionConfig {
  void check(const AttentionDims& dims, Problems& problems) const override;
  int64_t context_width(const AttentionDims& dims) const override { return dims.query; }
  int64_t weight_heads(const AttentionDims&) const override { return 0; }
};

struct AverageAttentionConfig final : LightConfig {
  int64_t feed_forward = 512;
  void fields(Fields& f) override;
};

}  // namespace heed
