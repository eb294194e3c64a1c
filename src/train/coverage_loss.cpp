#include "train/coverage_loss.h"

#include "nn/torch.h"

#include "config/sizes.h"

namespace heed {

void CoverageConfig::fields(Fields& f) {
  f.field("weight", weight, kWeights,
          "what reading a place again costs (See 2017: 1), beside the loss of a token; 0: nothing");
  f.field("after", after, kNotNegative, "updates before it counts");
}

SideLoss coverage_loss(const Tensor& weights, double weight) {
  const Tensor a = weights.mean(1);  // [R,T,S]
  const Tensor c = a.cumsum(1) - a;  // [R,T,S]
  return {.name = "coverage", .value = torch::min(a, c).sum(-1), .weight = weight};
}

}  // namespace heed
