// Settings of `type: memory_network` (memory_network.cpp).
#pragma once

#include "nn/attention/attention_config.h"

namespace heed {

struct MemoryNetworkConfig final : AttentionConfig {
  enum class Tying { kAdjacent, kLayerWise, kNone };
  int64_t hops = 3, linear_start = 0;
  Tying tying = Tying::kAdjacent;
  bool embed = true;
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  // Number of embeddings A and C that differ.
  int64_t embeddings() const {
    return tying == Tying::kLayerWise ? 2 : tying == Tying::kAdjacent ? hops + 1 : 2 * hops;
  }
  int64_t context_width(const AttentionDims& dims) const override { return dims.query; }
  int64_t weight_heads(const AttentionDims&) const override { return 1; }
};

}  // namespace heed
