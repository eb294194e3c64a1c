#include "nn/attention/scores/relative_config.h"

#include "config/sizes.h"

namespace heed {

void RelativeConfig::fields(Fields& f) {
  ProjectedConfig::fields(f);
  f.field("clip", farthest, kLengths,
          "maximum relative distance of r^K, and in the read-out of r^V; larger distances are "
          "clipped");
}

void RelativeConfig::check(const StageDims& dims, Problems& problems) const {
  ProjectedConfig::check(dims, problems);
  check_one_sequence(*this, dims, problems);
}

namespace kinds {
Kind<ScorerConfig> relative() {
  return kind<RelativeConfig, ScorerConfig>(
      "relative",
      "q·(k + r^K) / √D, r a relative position embedding (Shaw 2018); with positions: none");
}
}  // namespace kinds

}  // namespace heed
