// Settings of the normalizer softmax (softmax.cpp).
#include "nn/attention/stage_config.h"

namespace heed {

namespace {

struct SoftmaxConfig final : NormalizerConfig {
  void fields(Fields&) override {}
  bool is_softmax() const override { return true; }
};

}  // namespace

namespace kinds {
Kind<NormalizerConfig> softmax() {
  return kind<SoftmaxConfig, NormalizerConfig>("softmax", "softmax");
}
}  // namespace kinds

}  // namespace heed
