// Settings of attention with several hops (rereading.h).
#pragma once

#include <memory>

#include "nn/attention/attention_config.h"

namespace heed {

struct RereadingConfig : AttentionConfig {
  enum class Update { kAdd, kGru };
  std::shared_ptr<AttentionConfig> attention;
  Update update = Update::kAdd;
  bool shared = true;
  RereadingConfig();  // over the default attention
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  int64_t context_width(const AttentionDims& dims) const override { return dims.query; }
  int64_t weight_heads(const AttentionDims& dims) const override {
    return attention->weight_heads(dims);
  }
  bool weights_have_gradient() const override { return attention->weights_have_gradient(); }
  bool hides_unread() const override { return attention->hides_unread(); }
};

}  // namespace heed
