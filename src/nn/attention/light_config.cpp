#include "nn/attention/light_config.h"

#include "base/error.h"
#include "config/sizes.h"

namespace heed {

namespace {

struct SsruConfig final : LightConfig {
  void fields(Fields&) override {}
};

}  // namespace

void LightConfig::check(const AttentionDims& dims, Problems& problems) const {
  if (dims.place == Place::kDecoderSelf) return;
  problems.add("", fmt::format("{} is for the self_attention of a decoder", type));
}

void AverageAttentionConfig::fields(Fields& f) {
  f.field("feed_forward", feed_forward, kWidths,
          "width of the feed-forward layer over the average");
}

namespace kinds {
Kind<AttentionConfig> average() {
  return kind<AverageAttentionConfig, AttentionConfig>(
      "average",
      "average attention network: gate between the token and the mean of the past (Zhang 2018)");
}
Kind<AttentionConfig> ssru() {
  return kind<SsruConfig, AttentionConfig>(
      "ssru", "simpler simple recurrent unit over the past (SSRU, Kim 2019)");
}
}  // namespace kinds

}  // namespace heed
