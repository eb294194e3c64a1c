// Confidence intervals and significance tests of scores by resampling of lines, as sacreBLEU 2.6.0
// computes them, with the same samples for the same seed. sacreBLEU sums resamples in single precision,
// this program in double: where a resample is that near, p may differ by one sample.
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

// Of a text of the lines as a whole.
double score_lines(const Metric& metric, const std::vector<Statistics>& lines);

// Scores of texts of as many lines, each drawn from the lines with replacement (Koehn 2004,
// "Statistical significance tests for machine translation evaluation", section 4). The lines that are
// drawn depend on their number and the seed alone, so the scores of two systems are pairs.
std::vector<double> bootstrap_scores(const Metric& metric, const std::vector<Statistics>& lines,
                                     const Resampling& resampling);

// 95 %: half the distance between the scores that a fortieth lies below and above.
struct ConfidenceInterval {
  double mean = 0, half_width = 0;
};
ConfidenceInterval confidence_interval(std::vector<double> scores);

// The probability of a difference in scores at least as large as the given one (larger, where the
// metric counts no ties) between equally good systems. By bootstrap_scores of both (Koehn 2004,
// section 5; as Moses' script):
double bootstrap_p_value(const Metric& metric, const std::vector<double>& baseline,
                         const std::vector<double>& system, double difference);
// Or by exchange of lines between them, each with probability 1/2 (approximate randomization: Riezler
// and Maxwell 2005, "On some pitfalls in automatic evaluation and significance testing for MT"). The
// statistics of both must come from one call of Metric::line_statistics.
double randomization_p_value(const Metric& metric, const std::vector<Statistics>& baseline,
                             const std::vector<Statistics>& system, double difference,
                             const Resampling& resampling);

// "nrefs:1|bs:1000|seed:12345|…": kind is bs or ar.
std::string resampled_signature(const std::string& signature, const std::string& kind,
                                const Resampling& resampling);

}  // namespace heed
