#include "search/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"

namespace heed {

namespace {

struct WeightedToken {
  int32_t id;
  float log_probability;
  double weight;  // p^(1/T), of the most probable one 1
};

bool is_more_probable(const WeightedToken& a, const WeightedToken& b) {
  return a.log_probability != b.log_probability ? a.log_probability > b.log_probability
                                                : a.id < b.id;
}

std::vector<WeightedToken> candidates_of(std::span<const float> log_probabilities,
                                         double temperature) {
  const float most = *std::ranges::max_element(log_probabilities);
  std::vector<WeightedToken> candidates;
  for (size_t id = 0; id < log_probabilities.size(); ++id) {
    const float log_probability = log_probabilities[id];
    if (!(log_probability > -std::numeric_limits<float>::infinity())) continue;
    const double weight = std::exp((static_cast<double>(log_probability) - most) / temperature);
    candidates.push_back({static_cast<int32_t>(id), log_probability, weight});
  }
  return candidates;
}

double sum_of(const std::vector<WeightedToken>& candidates) {
  double sum = 0;
  for (const WeightedToken& candidate : candidates) sum += candidate.weight;
  return sum;
}

void keep_most_probable(std::vector<WeightedToken>& candidates, size_t count) {
  if (count >= candidates.size()) return;
  std::ranges::nth_element(candidates, candidates.begin() + static_cast<ptrdiff_t>(count),
                           is_more_probable);
  candidates.resize(count);
}

void keep_nucleus(std::vector<WeightedToken>& candidates, double top_p) {
  std::ranges::sort(candidates, is_more_probable);
  const double wanted = top_p * sum_of(candidates);
  double sum = 0;
  size_t count = 0;
  while (count < candidates.size() && sum < wanted) sum += candidates[count++].weight;
  candidates.resize(std::max<size_t>(1, count));
}

}  // namespace

// The last step goes through the tokens by id, so that rounding of the probabilities, which may
// change their order, hardly ever changes what is drawn.
DrawnToken draw_token(std::span<const float> log_probabilities, const SamplingOptions& config,
                      double uniform) {
  std::vector<WeightedToken> candidates = candidates_of(log_probabilities, config.temperature);
  HEED_CHECK(!candidates.empty(), "no token is possible");
  if (config.top_k > 0) keep_most_probable(candidates, static_cast<size_t>(config.top_k));
  if (config.top_p < 1) keep_nucleus(candidates, config.top_p);
  std::ranges::sort(candidates, {}, &WeightedToken::id);
  const auto weight = [](const WeightedToken& candidate) { return candidate.weight; };
  const WeightedToken& drawn = candidates[draw_index(candidates, weight, uniform)];
  return {drawn.id, drawn.log_probability};
}

}  // namespace heed
