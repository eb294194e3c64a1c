#include "nn/attention/disagreement.h"

#include "nn/torch.h"

#include "nn/attention/unit.h"

namespace heed {

namespace {

// The mean of x_i·x_j over all pairs of heads is |Σ_h x_h|² / H².  [R,H,T,D] -> [R,T]
Tensor mean_product(const Tensor& x) {
  const auto heads = static_cast<double>(x.size(1));
  return x.sum(1).square().sum(-1) / (heads * heads);
}

Tensor of_subspaces(const Heads& heads) {
  const Tensor alike = mean_product(unit(heads.values)).unsqueeze(1);  // [R,1,S]
  const Tensor open = heads.mask.any(1).to(alike.scalar_type());       // [R,1|T,S]
  const Tensor mean = (open * alike).sum(-1) / open.sum(-1).clamp_min(1);
  return mean.expand({mean.size(0), heads.weights.size(2)});
}

}  // namespace

SideLoss similarity_loss(const DisagreementConfig& config, const Heads& heads) {
  using On = DisagreementConfig::On;
  return {.name = "disagreement",
          .value = config.on == On::kSubspace   ? of_subspaces(heads)
                   : config.on == On::kPosition ? mean_product(heads.weights)
                                                : mean_product(unit(heads.contexts)),
          .weight = config.weight};
}

}  // namespace heed
