// Settings of the scores dot and scaled_dot (dot.cpp).
#include "nn/attention/scores/dot_product_config.h"

namespace heed {

namespace {

struct ScaledDotConfig : DotProductConfig {
  std::optional<double> dot_product_scale(const StageDims& dims) const override {
    return 1 / divisor(dims);
  }
};

struct DotConfig final : ScaledDotConfig {
  bool is_scaled() const override { return false; }
};

}  // namespace

namespace kinds {
Kind<ScorerConfig> dot() { return kind<DotConfig, ScorerConfig>("dot", "q·k (Luong 2015)"); }
Kind<ScorerConfig> scaled_dot() {
  return kind<ScaledDotConfig, ScorerConfig>("scaled_dot", "q·k / √D (Vaswani 2017)");
}
}  // namespace kinds

}  // namespace heed
