#include "train/coverage_loss.h"

#include "nn/torch.h"

#include "config/removed.h"
#include "config/sizes.h"

namespace heed {

void CoverageConfig::fields(Fields& f) const {
  f.field("weight", weight, kWeights,
          "weight λ of the coverage loss (See 2017: 1); 0 turns it off");
  removed(f, "after",
          "write `train: {phases: [{after: N, train: {coverage: {weight: λ}}}]}` in place of "
          "train.coverage");
}

SideLoss coverage_loss(const Tensor& weights, double weight) {
  const Tensor a = weights.mean(1);  // [R,T,S]
  const Tensor c = a.cumsum(1) - a;  // [R,T,S]
  return {.name = "coverage", .value = torch::min(a, c).sum(-1), .weight = weight};
}

}  // namespace heed
