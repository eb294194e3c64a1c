#include "nn/attention/convolution_config.h"

#include "base/error.h"
#include "config/sizes.h"
#include "nn/attention/stage_config.h"

namespace heed {

namespace {

constexpr IntRange kKernels{2, 65'000};

struct LightweightConfig final : ConvolutionConfig {
  bool is_dynamic() const override { return false; }
};
struct DynamicConfig final : ConvolutionConfig {
  bool is_dynamic() const override { return true; }
};

}  // namespace

void ConvolutionConfig::fields(Fields& f) {
  f.field("kernel", kernel, kKernels,
          "kernel width in positions; Wu 2019: 3 in the first layer to 31 in the last ones "
          "(self_attention_by_layer)");
  f.field(
      "heads", heads, kHeads,
      "number of groups of features that share a kernel; default: 8 inside a Transformer block, "
      "else 1");
  f.field("gated_input", gated_input, "gated linear unit (GLU) on the input projection");
  f.field("dropout", dropout, kDropout, "dropout probability of the kernel weights (DropConnect)");
  f.may_change(ChangeAt::kPhase, {"dropout"});
}

int64_t ConvolutionConfig::head_count(const AttentionDims& dims) const {
  return heads_or_default(heads, dims);
}

void ConvolutionConfig::check(const AttentionDims& dims, Problems& problems) const {
  const bool past = dims.place == Place::kDecoderSelf;
  if (!past && dims.place != Place::kEncoderSelf) {
    problems.add("", fmt::format("{} reads the positions around its own, which another sequence "
                                 "does not have: use it in self_attention",
                                 type));
    return;
  }
  check_order(*this, dims, problems);
  if (!past && kernel % 2 == 0)
    problems.add("kernel", fmt::format("{} has no middle: use an odd width in an encoder", kernel));
  if (dims.query != dims.source.value)
    problems.add("", fmt::format("{} computes its query and its values by one projection, but "
                                 "their widths are {} and {}",
                                 type, dims.query, dims.source.value));
  if (const int64_t count = head_count(dims); dims.query % count != 0)
    problems.add("heads", fmt::format("{} heads do not divide the width {}", count, dims.query));
}

namespace kinds {
Kind<AttentionConfig> lightweight_convolution() {
  return kind<LightweightConfig, AttentionConfig>(
      "lightweight_convolution",
      "convolution of each feature by softmax weights that heads share (Wu 2019)");
}
Kind<AttentionConfig> dynamic_convolution() {
  return kind<DynamicConfig, AttentionConfig>(
      "dynamic_convolution",
      "lightweight convolution whose weights are computed at each position (Wu 2019)");
}
}  // namespace kinds

}  // namespace heed
