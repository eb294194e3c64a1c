// Settings of the score rotary (rotary.cpp).
#include "nn/attention/scores/projected_config.h"

namespace heed {

namespace {

struct RotaryConfig final : ProjectedConfig {
  bool encodes_positions() const override { return true; }
  void check(const StageDims& dims, Problems& problems) const override {
    ProjectedConfig::check(dims, problems);
    check_one_sequence(*this, dims, problems);
    const int64_t width = width_of_heads(dims);
    if (width % dims.heads != 0 || (width / dims.heads) % 2 == 0) return;
    problems.add(
        "",
        fmt::format("rotary needs an even number of features per head, but each of {} heads has {}",
                    dims.heads, width / dims.heads));
  }
};

}  // namespace

namespace kinds {
Kind<ScorerConfig> rotary() {
  return kind<RotaryConfig, ScorerConfig>(
      "rotary", "q·k / √D after rotary position embedding (Su 2021); with positions: none");
}
}  // namespace kinds

}  // namespace heed
