#include "train/coverage_config.h"

#include "config/absent.h"
#include "config/sizes.h"

namespace heed {

void CoverageConfig::fields(Fields& f) {
  f.field("weight", weight, kWeights,
          "weight λ of the coverage loss (See 2017: 1); 0 turns it off");
  f.peers("weight", {.opennmt = "lambda_coverage"});
  absent(
      f, "after",
      "is not a setting: write `train: {phases: [{after: N, train: {coverage: {weight: λ}}}]}` in "
      "place of train.coverage");
}

}  // namespace heed
