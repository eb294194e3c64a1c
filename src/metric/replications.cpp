#include "metric/replications.h"

#include <cmath>

#include "base/error.h"

namespace heed {

namespace {

using LineStatistics = std::vector<Statistics>;

// The lines of these texts behind each other, or each line summed over the texts.
LineStatistics joined(const std::vector<LineStatistics>& texts, size_t first, size_t count,
                      bool sums) {
  LineStatistics lines = texts[first];
  for (size_t i = first + 1; i < first + count; ++i) {
    if (!sums) {
      lines.insert(lines.end(), texts[i].begin(), texts[i].end());
      continue;
    }
    for (size_t line = 0; line < lines.size(); ++line)
      lines[line] = sum_statistics({lines[line], texts[i][line]});
  }
  return lines;
}

}  // namespace

double replicated_p_value(const Metric& metric, const ComparedTexts& texts,
                          const Significance& significance) {
  HEED_CHECK(!texts.systems.empty() && texts.systems.size() % 2 == 0);
  const auto all = line_statistics(metric, texts);
  const size_t seeds = all.size() / 2;
  const bool draws = significance.test == SignificanceTest::kBootstrap;
  return p_value(metric, joined(all, 0, seeds, draws), joined(all, seeds, seeds, draws),
                 significance);
}

}  // namespace heed
