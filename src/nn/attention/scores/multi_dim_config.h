// Settings of the score multi_dim (multi_dim.cpp).
#pragma once

#include "nn/attention/scores/hidden_width_config.h"
#include "nn/attention/stage_config.h"

namespace heed {

// `form:` of the score.
struct MultiDimFormConfig : KindSettings {
  virtual void check(const StageDims& dims, const Problems& problems) const {}
};

struct FullForm final : MultiDimFormConfig, HiddenWidthNote {
  int64_t hidden = 512;
  void fields(Fields& f) override;
  void check(const StageDims& dims, const Problems& problems) const override;
};

struct LightForm final : MultiDimFormConfig {
  void fields(Fields&) override {}
};

struct MultiDimConfig final : ScorerConfig {
  std::shared_ptr<MultiDimFormConfig> form = make_kind<LightForm>("light");
  void fields(Fields& f) override;
  std::optional<int64_t> heads(int64_t context_width) const override { return context_width; }
  int64_t width_of_heads(const StageDims& dims) const override { return dims.heads; }
  void check(const StageDims& dims, Problems& problems) const override;
  bool needs_all_keys() const override { return true; }
};

}  // namespace heed
