// Settings of gated linear attention with decay (gated_linear.cpp).
#pragma once

#include <memory>
#include <optional>

#include "nn/attention/light_config.h"

namespace heed {

// `decay:`
struct DecayConfig : KindSettings {};

struct FixedDecay final : DecayConfig {
  bool rotary = true;
  void fields(Fields& f) override;
};

struct GatedDecay final : DecayConfig {
  int64_t rank = 16;
  double temperature = 16;  // τ
  void fields(Fields& f) override;
};

const Registry<DecayConfig>& decays();

struct GatedLinearConfig final : LightConfig {
  std::shared_ptr<DecayConfig> decay = fresh_kind(decays(), "gated");
  std::optional<int64_t> heads;  // default: 8 inside a Transformer block, else 1
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  int64_t head_count(const AttentionDims& dims) const;
};

}  // namespace heed
