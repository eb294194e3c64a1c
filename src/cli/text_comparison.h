// `heed compare`: systems against a baseline, with the significance of the differences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/metric_options.h"
#include "metric/resampling.h"

namespace heed {

enum class SignificanceTest { kBootstrap, kRandomization };

struct CompareOptions {
  MetricChoice choice;
  std::vector<std::string> systems;  // files; the first one is the baseline
  SignificanceTest test = SignificanceTest::kBootstrap;
  uint32_t seed = Resampling{}.seed;
  std::optional<int64_t> samples;  // unset: 1,000, or 10,000 for randomization
};

// Prints a table for each metric, or one JSON list. Error(kUsage) for less than two systems; Error(kData)
// for unequal lines and malformed UTF-8.
int run_compare(const CompareOptions& options);

}  // namespace heed
