#include "model/outputs/entmax_config.h"

namespace heed {

namespace {

const Words<SimplexProjection> kProjections = {{"1.5", SimplexProjection::kEntmax15},
                                               {"2", SimplexProjection::kSparsemax}};

}  // namespace

void EntmaxOutputConfig::fields(Fields& f) {
  f.field("bias", bias, "add a bias for each token");
  f.choice("alpha", alpha, kProjections, "α: 1.5, between softmax and sparsemax; or 2, sparsemax");
}

namespace kinds {
Kind<OutputConfig> entmax_output() {
  return kind<EntmaxOutputConfig, OutputConfig>(
      "entmax", "α-entmax over the vocabulary: most tokens have probability 0 (Peters 2019)");
}
}  // namespace kinds

}  // namespace heed
