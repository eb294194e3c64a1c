// Settings of the normalizers sparsemax and entmax15 (sparsemax.cpp).
#include "nn/attention/stage_config.h"

namespace heed {

namespace {

struct SimplexConfig final : NormalizerConfig {
  void fields(Fields&) override {}
};

}  // namespace

namespace kinds {
Kind<NormalizerConfig> sparsemax() {
  return kind<SimplexConfig, NormalizerConfig>(
      "sparsemax", "sparsemax: Euclidean projection onto the simplex (Martins 2016)");
}
Kind<NormalizerConfig> entmax15() {
  return kind<SimplexConfig, NormalizerConfig>(
      "entmax15", "entmax with α = 1.5, between softmax and sparsemax (Peters 2019)");
}
}  // namespace kinds

}  // namespace heed
