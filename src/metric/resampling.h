// Confidence intervals and significance tests of scores by resampling of lines, as in sacreBLEU
// 2.6.0, with the same samples for the same seed. sacreBLEU sums resamples in single precision,
// this program in double: p may differ by one sample if a resample is nearly equal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "metric/metric.h"

namespace heed {

struct Resampling {
  int64_t samples = 1000;
  uint32_t seed = 12345;
};

// Score of the text that consists of these lines.
double score_lines(const Metric& metric, const std::vector<Statistics>& lines);

// Scores of texts with the same number of lines, drawn from the lines with replacement (Koehn 2004,
// "Statistical significance tests for machine translation evaluation", section 4). The drawn lines
// depend only on the number of lines and the seed, so the scores of two systems are paired.
std::vector<double> bootstrap_scores(const Metric& metric, const std::vector<Statistics>& lines,
                                     const Resampling& resampling);

// 95 % interval: half the distance between the 2.5 % and 97.5 % quantiles of the scores.
struct ConfidenceInterval {
  double mean = 0, half_width = 0;
};
ConfidenceInterval confidence_interval(std::vector<double> scores);
// "36.3 ± 18.2"
std::string format_interval(const ConfidenceInterval& interval, int64_t digits);

// Probability that two equally good systems differ in score by at least `difference` (by more than
// it if the metric does not count ties). This test uses bootstrap_scores of both (Koehn 2004,
// section 5; as in Moses' script).
double bootstrap_p_value(const Metric& metric, const std::vector<double>& baseline,
                         const std::vector<double>& system, double difference);
// Test by exchange of lines between both systems, each with probability 1/2 (approximate
// randomization: Riezler and Maxwell 2005, "On some pitfalls in automatic evaluation and
// significance testing for MT"). The statistics of both must come from one call of
// Metric::line_statistics.
double randomization_p_value(const Metric& metric, const std::vector<Statistics>& baseline,
                             const std::vector<Statistics>& system, double difference,
                             const Resampling& resampling);

// "nrefs:1|bs:1000|seed:12345|…": kind is bs or ar.
std::string resampled_signature(const std::string& signature, const std::string& kind,
                                const Resampling& resampling);

}  // namespace heed
