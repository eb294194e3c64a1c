#include "nn/attention/gated_linear_config.h"

#include "base/error.h"
#include "config/sizes.h"
#include "nn/attention/stage_config.h"

namespace heed {

void FixedDecay::fields(Fields& f) {
  f.field("rotary", rotary, "rotation of queries and keys by their positions, as in RetNet");
}

void GatedDecay::fields(Fields& f) {
  f.field("rank", rank, kWidths, "width between the two matrices that make the gates");
  f.field("temperature", temperature, kAboveZero,
          "τ of the gates sigmoid(x)^(1/τ); a greater one forgets more slowly");
}

const Registry<DecayConfig>& decays() {
  static const Registry<DecayConfig> list = {
      kind<FixedDecay, DecayConfig>("fixed",
                                    "a number for each head, 1 - 2^(-5-h) of head h from 0 "
                                    "(RetNet, Sun 2023)"),
      kind<GatedDecay, DecayConfig>(
          "gated", "computed from the token, for each feature of the keys (GLA, Yang 2024)"),
  };
  return list;
}

void GatedLinearConfig::fields(Fields& f) {
  f.one_of("decay", decay, decays(), "factor of the sums of the past at each step");
  f.field("heads", heads, kHeads,
          "number of attention heads; default: 8 inside a Transformer block, else 1");
}

int64_t GatedLinearConfig::head_count(const AttentionDims& dims) const {
  return heads_or_default(heads, dims);
}

void GatedLinearConfig::check(const AttentionDims& dims, Problems& problems) const {
  LightConfig::check(dims, problems);
  const int64_t count = head_count(dims);
  if (dims.query % count != 0) {
    problems.add("heads", fmt::format("{} heads do not divide the width {}", count, dims.query));
    return;
  }
  const auto* fixed = dynamic_cast<const FixedDecay*>(decay.get());
  if (fixed != nullptr && fixed->rotary && dims.query / count % 2 != 0) {
    problems.add("decay.rotary", fmt::format("rotates pairs of features, but a head has {}: use "
                                             "another number of heads, or rotary: false",
                                             dims.query / count));
  }
}

namespace kinds {
Kind<AttentionConfig> gated_linear() {
  return kind<GatedLinearConfig, AttentionConfig>(
      "gated_linear",
      "linear attention whose sums over the past decay, with a gate on its output (RetNet, Sun "
      "2023; GLA, Yang 2024)");
}
}  // namespace kinds

}  // namespace heed
