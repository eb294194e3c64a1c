// Settings of `type: task_specific` (task_specific.cpp).
#pragma once

#include <memory>
#include <string>

#include "nn/attention/attention_config.h"
#include "nn/needs_spec.h"

namespace heed {

struct TaskSpecificConfig final : AttentionConfig, Needing {
  std::shared_ptr<AttentionConfig> attention;
  TaskSpecificConfig();  // over the default attention
  void fields(Fields& f) override;
  void add_needs(Needs& needs) const override { needs.tag = true; }
  void check(const AttentionDims& dims, Problems& problems) const override;
  int64_t context_width(const AttentionDims& dims) const override {
    return attention->context_width(dims);
  }
  bool reads_several() const override { return attention->reads_several(); }
  std::string source() const override { return attention->source(); }
  int64_t weight_heads(const AttentionDims& dims) const override {
    return attention->weight_heads(dims);
  }
  bool weights_have_gradient() const override { return attention->weights_have_gradient(); }
  bool hides_unread() const override { return attention->hides_unread(); }
};

}  // namespace heed
