// `heed compare`: systems against a baseline, with the significance of the differences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/metric_options.h"
#include "metric/comparison.h"

namespace heed {

struct CompareOptions {
  MetricChoice choice;
  std::vector<std::string> systems;  // files; the first one is the baseline
  Significance significance;
  bool by_length = false;              // scores of lines by the length of the reference
  bool by_frequency = false;           // F1 of words by their frequency
  std::optional<std::string> counted;  // file whose words are counted; unset: the first reference
  std::optional<std::string> html, source;  // files
  int64_t examples = 10;
};

// Prints a table for each metric and each breakdown, or one JSON list, and writes the page.
// Error(kUsage) for less than two systems; Error(kData) for unequal lines and malformed UTF-8.
int run_compare(const CompareOptions& options);

}  // namespace heed
