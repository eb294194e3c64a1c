// Settings of `type: memory` (memory.cpp).
#pragma once

#include "nn/attention/attention_config.h"

namespace heed {

struct MemoryConfig final : AttentionConfig {
  enum class Initial { kSource, kLearned, kConstant };
  enum class Order { kReadFirst, kWriteFirst };
  Initial initial = Initial::kSource;
  int64_t rows = 128, heads = 1, width = 0, shift = 1;
  bool write = true;
  Order order = Order::kReadFirst;
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  // True if the memory has rows of its own, not those of the source.
  bool has_own_rows() const { return initial != Initial::kSource; }
  bool needs_source() const override { return !has_own_rows(); }
  int64_t row_width(const AttentionDims& dims) const {
    if (width > 0) return width;
    return has_own_rows() ? dims.query : dims.source.value;
  }
  int64_t context_width(const AttentionDims& dims) const override {
    return dims.block > 0 ? dims.block : heads * row_width(dims);
  }
  int64_t weight_heads(const AttentionDims&) const override { return has_own_rows() ? 0 : heads; }
};

}  // namespace heed
