// Page of comparisons of systems (metric/comparison.h), for `heed compare --html`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metric/comparison.h"

namespace heed {

struct PageOptions {
  std::optional<Lines> source{};  // shown above the texts of an example
  int64_t examples = 10;          // in each direction
  int64_t digits = 1;
};

// Examples are the lines whose scores by `metric` differ most from those of the baseline.
std::string comparison_page(const ComparedTexts& texts, const std::vector<Comparison>& comparisons,
                            const std::optional<Breakdown>& by_frequency, const Metric& metric,
                            const PageOptions& options);

}  // namespace heed
