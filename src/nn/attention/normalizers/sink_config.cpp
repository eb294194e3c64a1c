// Settings of the normalizers off_by_one and sink (sink.cpp).
#include "nn/attention/stage_config.h"

namespace heed {

namespace {

struct SinkConfig final : NormalizerConfig {
  void fields(Fields&) override {}
};

}  // namespace

namespace kinds {
Kind<NormalizerConfig> off_by_one() {
  return kind<SinkConfig, NormalizerConfig>(
      "off_by_one",
      "exp(e) / (1 + Σ exp(e)): a head may read nothing, and weights sum to less than 1 (Miller "
      "2023)");
}
Kind<NormalizerConfig> sink() {
  return kind<SinkConfig, NormalizerConfig>(
      "sink",
      "softmax with a learned sink logit for each head that takes a part of the weights, which sum "
      "to less than 1 (Xiao 2024, gpt-oss)");
}
}  // namespace kinds

}  // namespace heed
