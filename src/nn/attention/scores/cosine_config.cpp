// Settings of the score cosine (cosine.cpp).
#include "nn/attention/scores/projected_config.h"

namespace heed {

namespace kinds {
Kind<ScorerConfig> cosine() {
  return kind<ProjectedConfig, ScorerConfig>("cosine", "β cos(q, k), β ≥ 0 learned (Graves 2014)");
}
}  // namespace kinds

}  // namespace heed
