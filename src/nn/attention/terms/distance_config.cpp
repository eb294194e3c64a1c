#include "nn/attention/terms/distance_config.h"

#include "config/sizes.h"

namespace heed {

void DistanceConfig::fields(Fields& f) {
  f.field("alpha", alpha, kWeights, "α; its initial value if it is learned");
  f.field("learned", learned, "learn α");
}

void DistanceConfig::check(const StageDims& dims, Problems& problems) const {
  check_one_sequence(*this, dims, problems);
}

namespace kinds {
Kind<TermConfig> distance() {
  return kind<DistanceConfig, TermConfig>(
      "distance", "adds a distance penalty -α|i - j|, α fixed or learned (Im and Cho 2017)");
}
}  // namespace kinds

}  // namespace heed
