// Settings of `type: memory` (memory.cpp).
#pragma once

#include "nn/attention/attention_config.h"

namespace heed {

struct MemoryConfig final : AttentionConfig {
  int64_t heads = 1, width = 0, shift = 1;
  bool write = true;
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  int64_t row_width(const AttentionDims& dims) const {
    return width > 0 ? width : dims.source.value;
  }
  int64_t context_width(const AttentionDims& dims) const override {
    return dims.block > 0 ? dims.block : heads * row_width(dims);
  }
  int64_t weight_heads(const AttentionDims&) const override { return heads; }
};

}  // namespace heed
