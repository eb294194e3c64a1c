#include "nn/attention/terms/distance_bias_config.h"

#include "config/sizes.h"

namespace heed {

void DistanceBiasConfig::fields(Fields& f) {
  f.field("beyond", beyond, kLengths, "distance from which on all share one bias");
}

void DistanceBiasConfig::check(const StageDims& dims, Problems& problems) const {
  check_one_sequence(*this, dims, problems);
}

namespace kinds {
Kind<TermConfig> distance_bias() {
  return kind<DistanceBiasConfig, TermConfig>(
      "distance_bias", "adds a learned bias for each distance (Parikh 2016)");
}
}  // namespace kinds

}  // namespace heed
