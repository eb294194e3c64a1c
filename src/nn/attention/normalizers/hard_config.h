// Settings of the normalizer hard (hard.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

// `gradient:`
struct HardGradientConfig : KindSettings {
  void fields(Fields&) override {}
};
struct ReinforceGradient final : HardGradientConfig {
  double weight = 1;
  double entropy = 0.01;
  void fields(Fields& f) override;
};

struct HardConfig final : NormalizerConfig {
  std::shared_ptr<HardGradientConfig> gradient = make_kind<ReinforceGradient>("reinforce");
  double soft = 0;
  void fields(Fields& f) override;
  // REINFORCE trains by the probability of the sample alone.
  bool is_differentiable() const override {
    return soft > 0 || dynamic_cast<const ReinforceGradient*>(gradient.get()) == nullptr;
  }
};

}  // namespace heed
