#include "search/repetition_penalty.h"

#include <algorithm>
#include <unordered_set>

namespace heed {

void penalize_repetitions(double theta, const Ids& so_far, int64_t row, TopK& best) {
  const std::unordered_set<int32_t> repeated(so_far.begin(), so_far.end());
  const auto begin = row * best.count;
  std::vector<std::pair<double, int32_t>> tokens;  // -log p' and id
  for (int64_t k = begin; k < begin + best.count && best.id[k] >= 0; ++k) {
    const double factor = repeated.contains(best.id[k]) ? theta : 1;
    tokens.emplace_back(-factor * best.log_probability[k], best.id[k]);
  }
  std::ranges::sort(tokens);
  for (int64_t k = 0; k < std::ssize(tokens); ++k) {
    best.log_probability[begin + k] = -tokens[k].first;
    best.id[begin + k] = tokens[k].second;
  }
}

std::vector<float> penalized_repetitions(double theta, const Ids& so_far,
                                         std::span<const float> log_probabilities) {
  std::vector<float> penalized(log_probabilities.begin(), log_probabilities.end());
  for (const int32_t id : so_far)
    penalized[id] = static_cast<float>(theta * static_cast<double>(log_probabilities[id]));
  return penalized;
}

}  // namespace heed
