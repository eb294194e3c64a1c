#include "nn/attention/readouts/gated_sum_config.h"

namespace heed {

void GatedSumConfig::fields(Fields& f) {
  static const Words<Gate> words = {{"feature", Gate::kFeature}, {"head", Gate::kHead}};
  WeightedSumConfig::fields(f);
  f.choice("gate", gate, words, "a gate for each feature of the heads, or for each head");
}

namespace kinds {
Kind<ReadOutConfig> gated_sum() {
  return kind<GatedSumConfig, ReadOutConfig>(
      "gated", "Σ a v of each head, times a sigmoid gate of the query (Qiu 2025)");
}
}  // namespace kinds

}  // namespace heed
