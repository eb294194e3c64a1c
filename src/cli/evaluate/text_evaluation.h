// `heed evaluate`: scores of text against references.
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
  std::string input = "-";            // the hypotheses
  std::optional<std::string> delays;  // file with the delays of the hypotheses (metric/latency.h)
  bool sentences = false;             // scores of each line instead
  std::optional<Resampling> confidence;
  // If models are given, the hypotheses are their translations of `sources`.
  std::vector<std::string> models, sources;
  std::optional<std::string> tag;  // of every line of theirs
  Direction direction;             // the same
  SearchOptions search;
  DecodingOptions decoding;
  // Baseline: the first `lead` words of each line of the only source are the hypotheses.
  std::optional<int64_t> lead;
};

// Parses "lead:N" with N at least 1. Throws Error(kUsage) for another baseline.
int64_t parse_lead(const std::string& baseline);

// Prints a line for each metric, or one JSON list. With `sentences`: a line for each text line,
// with the scores of all metrics separated by tabs; BLEU then uses effective order. With `delays`,
// AL and DAL are the last two metrics. Throws Error(kData) for different numbers of lines and for malformed UTF-8.
int run_evaluate(const EvaluateOptions& options);

}  // namespace heed
