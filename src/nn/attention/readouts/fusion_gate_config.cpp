// Settings of the read-out fusion_gate (fusion_gate.cpp).
#include "base/error.h"
#include "nn/attention/readouts/weighted_sum_config.h"

namespace heed {

namespace {

struct FusionGateConfig final : WeightedSumConfig {
  void check(const StageDims& dims, Problems& problems) const override {
    WeightedSumConfig::check(dims, problems);
    if (context_width(dims) == dims.query) return;
    problems.add(
        "",
        fmt::format("fusion_gate needs equal widths, but the query has width {} and the values {}",
                    dims.query, context_width(dims)));
  }
};

}  // namespace

namespace kinds {
Kind<ReadOutConfig> fusion_gate() {
  return kind<FusionGateConfig, ReadOutConfig>(
      "fusion_gate", "fusion gate of Σ a v and the query (Shen 2018, DiSAN)");
}
}  // namespace kinds

}  // namespace heed
