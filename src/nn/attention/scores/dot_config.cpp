// Settings of the scores dot and scaled_dot (dot.cpp).
#include <cmath>

#include "nn/attention/scores/projected_config.h"

namespace heed {

namespace {

struct DotConfig final : ProjectedConfig {
  std::optional<double> dot_product_scale(const StageDims&) const override { return 1; }
};

struct ScaledDotConfig final : ProjectedConfig {
  std::optional<double> dot_product_scale(const StageDims& dims) const override {
    return 1 / std::sqrt(static_cast<double>(width_of_heads(dims) / dims.heads));
  }
};

}  // namespace

namespace kinds {
Kind<ScorerConfig> dot() { return kind<DotConfig, ScorerConfig>("dot", "q·k (Luong 2015)"); }
Kind<ScorerConfig> scaled_dot() {
  return kind<ScaledDotConfig, ScorerConfig>("scaled_dot", "q·k / √D (Vaswani 2017)");
}
}  // namespace kinds

}  // namespace heed
