#include "train/coverage_loss.h"

#include "nn/torch.h"

namespace heed {

SideLoss coverage_loss(const Tensor& weights, double weight) {
  const Tensor a = weights.mean(1);  // [R,T,S]
  const Tensor c = a.cumsum(1) - a;  // [R,T,S]
  return {.name = "coverage", .value = torch::min(a, c).sum(-1), .weight = weight};
}

}  // namespace heed
