// Settings of `type: one_source` (one_source.cpp).
#pragma once

#include <memory>
#include <string>

#include "nn/attention/attention_config.h"

namespace heed {

struct OneSourceConfig final : AttentionConfig {
  std::string name;  // empty: the first
  std::shared_ptr<AttentionConfig> attention;
  OneSourceConfig();
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  bool reads_several() const override { return true; }
  std::string source() const override { return name; }
  int64_t context_width(const AttentionDims& dims) const override;
  int64_t weight_heads(const AttentionDims& dims) const override;
  bool weights_have_gradient() const override;
  bool hides_unread() const override { return attention->hides_unread(); }
  AttentionDims own_dims(const AttentionDims& dims) const;
};

}  // namespace heed
