// Settings of `type: none`: no attention at all; the context is empty, or zeros where a block needs
// one.
#pragma once

#include "nn/attention/attention_config.h"

namespace heed {

struct NoAttentionConfig final : AttentionConfig {
  void fields(Fields& f) override {}
  void check(const AttentionDims& dims, Problems& problems) const override {}
  int64_t context_width(const AttentionDims& dims) const override { return dims.block; }
  int64_t weight_heads(const AttentionDims&) const override { return 0; }
  bool reads() const override { return false; }
  bool reads_several() const override { return true; }
};

}  // namespace heed
