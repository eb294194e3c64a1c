// Settings of the normalizer temporal (temporal.cpp).
#include "nn/attention/stage_config.h"

namespace heed {

namespace {

struct TemporalConfig final : NormalizerConfig {
  void fields(Fields&) override {}
  void check(const StageDims& dims, Problems& problems) const override {
    if (dims.place == Place::kCross || dims.place == Place::kDecoderSelf) return;
    problems.add("", fmt::format("{} divides by the scores of earlier target tokens, and queries "
                                 "are no target tokens here: use it in a decoder",
                                 type));
  }
};

}  // namespace

namespace kinds {
Kind<NormalizerConfig> temporal() {
  return kind<TemporalConfig, NormalizerConfig>(
      "temporal",
      "softmax of scores divided by the sum of the key's earlier ones, after exp (intra-temporal "
      "attention: Paulus 2018)");
}
}  // namespace kinds

}  // namespace heed
