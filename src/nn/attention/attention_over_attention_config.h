// Settings of `type: attention_over_attention` (attention_over_attention.cpp).
#pragma once

#include <string>

#include "nn/attention/attention_config.h"

namespace heed {

struct AttentionOverAttentionConfig final : AttentionConfig {
  std::string document = "document", query = "query";
  void fields(Fields& f) override;
  bool reads_several() const override { return true; }
  std::string source() const override { return document; }
  void check(const AttentionDims& dims, Problems& problems) const override;
  int64_t context_width(const AttentionDims& dims) const override;
  int64_t weight_heads(const AttentionDims&) const override { return 1; }
};

}  // namespace heed
