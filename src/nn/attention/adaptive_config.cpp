#include "nn/attention/adaptive_config.h"

#include "config/sizes.h"

namespace heed {

void AdaptiveAttentionConfig::fields(Fields& f) {
  RereadingConfig::fields(f);
  f.field("most", most, kRounds, "maximum number of hops");
  f.field("epsilon", epsilon, kDropout,
          "ε: a query halts when its halting probabilities sum to 1 - ε");
  f.field("ponder", ponder, kWeights, "weight τ of the ponder cost");
}

namespace kinds {
Kind<AttentionConfig> adaptive() {
  return kind<AdaptiveAttentionConfig, AttentionConfig>(
      "adaptive",
      "adaptive computation time: each query decides on its number of hops (Graves 2016, ACT)");
}
}  // namespace kinds

}  // namespace heed
