#include "nn/attention/scores/additive_config.h"

#include "config/sizes.h"

namespace heed {

void AdditiveConfig::fields(Fields& f) {
  f.field("hidden", hidden, kWidths, "width of the hidden layer");
  f.field(
      "normalize", normalize,
      "g v / |v| instead of v, with a learned g; set it with normalizer: monotonic, as in Raffel "
      "2017");
  f.field("layer_norm", layer_norm,
          "layer normalization of W q and of U k, each with its own gain, before b is added, as in "
          "Marian");
}

void AdditiveConfig::check(const StageDims& dims, Problems& problems) const {
  look_at_hidden(hidden, dims, problems);
}

namespace kinds {
Kind<ScorerConfig> concat() {
  return kind<AdditiveConfig, ScorerConfig>("concat", "vᵀ tanh(W [q; k]) (Luong 2015)");
}
Kind<ScorerConfig> additive() {
  return kind<AdditiveConfig, ScorerConfig>("additive", "vᵀ tanh(W q + U k + b) (Bahdanau 2015)");
}
}  // namespace kinds

}  // namespace heed
