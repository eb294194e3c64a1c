#include "translate/best_sums.h"

#include <algorithm>

namespace heed {

namespace {

// A choice from the first lists: one from those before, and an item of the last.
struct PartialSum {
  double sum;
  size_t before, item;
};

std::vector<PartialSum> next_steps(const std::vector<PartialSum>& steps,
                                   const std::vector<double>& scores, size_t most) {
  std::vector<PartialSum> next;
  for (size_t before = 0; before < steps.size(); ++before) {
    for (size_t item = 0; item < scores.size(); ++item)
      next.push_back({steps[before].sum + scores[item], before, item});
  }
  std::ranges::stable_sort(next, std::ranges::greater(), &PartialSum::sum);
  if (next.size() > most) next.erase(next.begin() + static_cast<std::ptrdiff_t>(most), next.end());
  return next;
}

}  // namespace

std::vector<std::vector<size_t>> best_sums(const std::vector<std::vector<double>>& scores,
                                           size_t most) {
  std::vector<std::vector<PartialSum>> steps{{{0, 0, 0}}};
  for (const std::vector<double>& own : scores)
    steps.push_back(next_steps(steps.back(), own, most));
  std::vector<std::vector<size_t>> choices;
  for (size_t k = 0; k < steps.back().size(); ++k) {
    std::vector<size_t>& choice = choices.emplace_back(scores.size());
    size_t at = k;
    for (size_t i = scores.size(); i > 0; --i) {
      choice[i - 1] = steps[i][at].item;
      at = steps[i][at].before;
    }
  }
  return choices;
}

}  // namespace heed
