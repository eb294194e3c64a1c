#include "nn/attention/scores/location_based_config.h"

#include "config/sizes.h"

namespace heed {

void LocationBasedConfig::fields(Fields& f) {
  f.field("max_positions", max_positions, kTablePositions,
          "rows of W, one for each position; keys at later positions are not read");
}

void LocationBasedConfig::check(const StageDims& dims, Problems& problems) const {
  check_order(*this, dims, problems);
}

namespace kinds {
Kind<ScorerConfig> location_based() {
  return kind<LocationBasedConfig, ScorerConfig>(
      "location_based", "W q, a score for each position, without keys (Luong 2015)");
}
}  // namespace kinds

}  // namespace heed
