#include "train/guided_alignment.h"

#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

namespace {

constexpr double kEpsilon = 1e-6;

// Cost of each target token, with or without links.  weights, alignment [R,T,S] -> [R,T]
Tensor cost_of(const Tensor& weights, const Tensor& alignment, AlignmentCost cost) {
  switch (cost) {
    case AlignmentCost::kCrossEntropy:
      return -(alignment * (weights + kEpsilon).log()).sum(-1);
    case AlignmentCost::kSquares:
      return (weights - alignment).square().sum(-1) / 2;
    case AlignmentCost::kMass:
      return -(weights.masked_fill(alignment == 0, 0).sum(-1) + kEpsilon).log();
  }
  HEED_CHECK(false);
}

}  // namespace

Tensor alignment_targets(const std::vector<Example>& examples, int64_t targets, int64_t sources,
                         torch::Device device) {
  const bool has_links = std::ranges::any_of(examples, [](const Example& example) {
    return example.alignment && !example.alignment->empty();
  });
  if (!has_links) return {};
  Tensor links = torch::zeros({std::ssize(examples), targets, sources}, torch::kFloat);
  float* matrix = links.mutable_data_ptr<float>();
  for (const Example& example : examples) {
    for (const auto& [source, target] : example.alignment.value()) {
      HEED_CHECK(source < sources && target < targets, "{}-{}", source, target);
      matrix[target * sources + source] = 1;
    }
    matrix += targets * sources;
  }
  return (links / links.sum(-1, true).clamp_min(1)).to(device);
}

SideLoss guided_alignment_loss(const Tensor& weights, const Tensor& alignment,
                               const GuidedAlignmentConfig& config) {
  const Tensor wanted = alignment.to(weights.dtype());  // [R,T,S]
  const Tensor cost = cost_of(weights.mean(1), wanted, config.cost);
  return {.name = "guided alignment",
          .value = cost.masked_fill(wanted.sum(-1) == 0, 0),
          .weight = config.weight};
}

}  // namespace heed
