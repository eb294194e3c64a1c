// Settings of the read-out relative (relative_sum.cpp).
#include "config/sizes.h"
#include "nn/attention/readouts/weighted_sum_config.h"

namespace heed {

namespace {

struct RelativeSumConfig final : WeightedSumConfig {
  std::optional<int64_t> farthest;
  bool encodes_positions() const override { return true; }
  bool is_weighted_sum() const override { return false; }
  void fields(Fields& f) override {
    WeightedSumConfig::fields(f);
    f.field("clip", farthest, kLengths,
            "maximum relative distance of r^V; larger distances are clipped; default: that of "
            "score: relative, with other scores 16");
  }
  void check(const StageDims& dims, Problems& problems) const override {
    WeightedSumConfig::check(dims, problems);
    check_one_sequence(*this, dims, problems);
  }
  std::optional<int64_t> clip() const override { return farthest; }
  bool needs_all_keys() const override { return true; }
};

}  // namespace

namespace kinds {
Kind<ReadOutConfig> relative_sum() {
  return kind<RelativeSumConfig, ReadOutConfig>(
      "relative", "Σ a (v + r^V), r a relative position embedding (Shaw 2018)");
}
}  // namespace kinds

}  // namespace heed
