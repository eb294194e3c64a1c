// Settings of `type: key_value_memory` (key_value_memory.cpp).
#pragma once

#include <string>

#include "nn/attention/attention_config.h"
#include "nn/needs_spec.h"

namespace heed {

struct KeyValueMemoryConfig final : AttentionConfig, Needing {
  std::string keys, values;
  int64_t hops = 2;
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  void add_needs(Needs& needs) const override { needs.entries.push_back({keys, values}); }
  bool reads_several() const override { return true; }
  std::string source() const override { return keys; }
  int64_t context_width(const AttentionDims& dims) const override { return dims.query; }
  int64_t weight_heads(const AttentionDims&) const override { return 1; }
};

}  // namespace heed
