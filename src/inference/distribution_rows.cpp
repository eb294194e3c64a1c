#include "inference/distribution_rows.h"

#include <algorithm>
#include <cmath>

#include "search/not_a_number.h"

namespace heed {

float log_add(float a, float b) {
  if (a < b) std::swap(a, b);
  return b == kImpossibleLogit ? a : a + std::log1p(std::exp(b - a));
}

DistributionRows::DistributionRows(const Kernels& set, int64_t count, int64_t vocabulary,
                                   const StepRows& rows, const Distributions& distributions,
                                   Workspace& room)
    : set_(set),
      vocabulary_(vocabulary),
      rows_(rows),
      room_(room),
      best_{count, std::vector<double>(rows.rows * count), std::vector<int32_t>(rows.rows * count)},
      by_row_(rows.limits),
      writer_(set, room.values, best_),
      shown_(distributions) {}

void DistributionRows::write(int64_t row, std::span<float> log_probs) {
  if (std::ranges::any_of(log_probs, [](float value) { return std::isnan(value); }))
    throw_not_a_number();
  if (!rows_.candidates.empty())
    keep_candidates(*rows_.candidates[row / rows_.hypotheses()], log_probs);
  const RowLimits limits = by_row_.of(row);
  LikelyOutputs& likely = room_.likely;
  likely.choose(set_, log_probs, best_.count + std::ssize(limits.banned), forced(limits));
  writer_.write(row, {likely.logits(), likely.outputs()}, 0, limits);
  if (!shown_.wants(row) || !limits.forced.empty()) return;
  for (const auto& token : limits.banned) log_probs[token.id] = kImpossibleLogit;
  shown_.show(row, log_probs, 0);
}

// Makes the distribution one over the candidates and the tokens behind the vocabulary, unless all of
// them have probability 0.
void DistributionRows::keep_candidates(const Ids& candidates, std::span<float> log_probs) {
  AlignedFloats& kept = room_.kept;
  kept.assign(log_probs.size(), kImpossibleLogit);
  for (const int32_t id : candidates) kept[id] = log_probs[id];
  std::copy(log_probs.begin() + vocabulary_, log_probs.end(), kept.begin() + vocabulary_);
  if (std::ranges::all_of(kept, [](float value) { return value == kImpossibleLogit; })) return;
  const float log_sum = set_.log_sum_exp(kept.data(), std::ssize(kept));
  for (size_t i = 0; i < kept.size(); ++i) log_probs[i] = kept[i] - log_sum;
}

}  // namespace heed
