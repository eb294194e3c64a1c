// Settings of the term and of the read-out talking_heads (terms/talking_heads.cpp,
// readouts/talking_sum.cpp).
#include "nn/attention/readouts/weighted_sum_config.h"

namespace heed {

namespace {

void check_talking(const StageDims& dims, Problems& problems) {
  if (dims.heads == 1) problems.add("", "talking_heads needs 2 heads or more");
}

struct TalkingHeadsConfig final : TermConfig {
  void fields(Fields&) override {}
  const char* read() const override { return "talking_heads"; }
  void check(const StageDims& dims, Problems& problems) const override {
    check_talking(dims, problems);
  }
};

struct TalkingSumConfig final : WeightedSumConfig {
  bool is_weighted_sum() const override { return false; }
  bool needs_all_keys() const override { return true; }
  void check(const StageDims& dims, Problems& problems) const override {
    WeightedSumConfig::check(dims, problems);
    check_talking(dims, problems);
  }
};

}  // namespace

namespace kinds {
Kind<TermConfig> talking_heads() {
  return kind<TalkingHeadsConfig, TermConfig>(
      "talking_heads",
      "linear map of the scores over the heads, and with it read: talking_heads (Shazeer 2020)");
}
Kind<ReadOutConfig> talking_sum() {
  return kind<TalkingSumConfig, ReadOutConfig>(
      "talking_heads",
      "Σ a v, where a is a linear map of the weights over the heads (Shazeer 2020)");
}
}  // namespace kinds

}  // namespace heed
