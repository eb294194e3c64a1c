#include "nn/attention/adaptive_config.h"

namespace heed {

void AdaptiveAttentionConfig::fields(Fields& f) {
  RereadingConfig::fields(f);
  halting.fields(f, "maximum number of hops",
                 "ε: a query halts when its halting probabilities sum to 1 - ε");
}

namespace kinds {
Kind<AttentionConfig> adaptive() {
  return kind<AdaptiveAttentionConfig, AttentionConfig>(
      "adaptive",
      "adaptive computation time: each query decides on its number of hops (Graves 2016, ACT)");
}
}  // namespace kinds

}  // namespace heed
