#include "cli/translate/minimum_risk.h"

#include <map>

namespace heed {

size_t least_risk(const Metric& metric, const Lines& candidates) {
  std::map<std::string_view, double> counts;
  for (const std::string& text : candidates) ++counts[text];
  std::map<std::string_view, double> sums;  // of the scores of each
  for (const auto& [hypothesis, unused] : counts) {
    for (const auto& [reference, count] : counts)
      sums[hypothesis] += count * metric.score_line(hypothesis, {reference}).value;
  }
  const double sign = metric.higher_is_better() ? 1 : -1;
  size_t best = 0;
  for (size_t i = 1; i < candidates.size(); ++i) {
    if (sign * sums.at(candidates[i]) > sign * sums.at(candidates[best])) best = i;
  }
  return best;
}

}  // namespace heed
