// `heed evaluate`: text against references, in figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/metric_options.h"
#include "cli/options.h"
#include "metric/resampling.h"

namespace heed {

struct EvaluateOptions {
  MetricChoice choice;
  std::string input = "-";  // the hypotheses
  bool sentences = false;   // scores of each line instead
  std::optional<Resampling> confidence;
  // If models are named, the hypotheses are their translations of `sources`.
  std::vector<std::string> models, sources;
  std::optional<std::string> tag;  // of every line of theirs
  SearchOptions search;
  DecodingOptions decoding;
  // Else, if it is given, so many words from the start of each line of the one source.
  std::optional<int64_t> lead;
};

// The N of "lead:N", at least 1. Error(kUsage) for another baseline.
int64_t parse_lead(const std::string& baseline);

// Prints a line for each metric, or one JSON list. Of sentences: a line for each, with the scores by
// all metrics between tabs; BLEU has effective order. Error(kData) for unequal lines and malformed
// UTF-8.
int run_evaluate(const EvaluateOptions& options);

}  // namespace heed
