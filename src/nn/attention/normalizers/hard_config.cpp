#include "nn/attention/normalizers/hard_config.h"

#include "config/sizes.h"

namespace heed {

void ReinforceGradient::fields(Fields& f) {
  f.field("weight", weight, kAboveZero, "λ_r, weight of the REINFORCE term");
  f.field("entropy", entropy, kWeights, "weight of the entropy");
}

namespace {

struct StraightThrough final : HardGradientConfig {};

const Registry<HardGradientConfig>& gradients() {
  static const Registry<HardGradientConfig> list = {
      kind<ReinforceGradient, HardGradientConfig>("reinforce",
                                                  "REINFORCE with a baseline (Xu 2015)"),
      kind<StraightThrough, HardGradientConfig>("straight_through",
                                                "that of the softmax (Bengio 2013)"),
  };
  return list;
}

}  // namespace

void HardConfig::fields(Fields& f) {
  f.one_of("gradient", gradient, gradients(), "gradient estimator of the sampled key");
  f.field("soft", soft, kFraction,
          "probability that a training sentence uses the soft expectation instead of samples; "
          "0.5 in the paper");
}

namespace kinds {
Kind<NormalizerConfig> hard() {
  return kind<HardConfig, NormalizerConfig>(
      "hard",
      "hard attention: one key, sampled in training, the most probable one in search (Xu 2015)");
}
}  // namespace kinds

}  // namespace heed
