#include "metric/resampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "metric/numpy_generator.h"

namespace heed {

namespace {

void add_to(Statistics& sum, const Statistics& line) {
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += line[i];
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// True if a difference is as large as the observed one, up to rounding.
bool is_as_large(const Metric& metric, double difference, double observed) {
  return metric.counts_ties() ? difference >= observed - 1e-9 : difference > observed;
}

// Counts the observed difference as one more sample, so p is never 0 (Riezler and Maxwell 2005,
// figure 1).
double p_value(size_t as_large, size_t samples) {
  return static_cast<double>(as_large + 1) / static_cast<double>(samples + 1);
}

}  // namespace

double score_lines(const Metric& metric, const std::vector<Statistics>& lines) {
  return metric.from_sum(sum_statistics(lines)).value;
}

std::vector<double> bootstrap_scores(const Metric& metric, const std::vector<Statistics>& lines,
                                     const Resampling& resampling) {
  HEED_CHECK(!lines.empty());
  NumpyGenerator random(resampling.seed);
  std::vector<double> scores(static_cast<size_t>(resampling.samples));
  for (double& score : scores) {
    Statistics sum(lines[0].size());
    for (size_t i = 0; i < lines.size(); ++i)
      add_to(sum, lines[random.below(static_cast<uint32_t>(lines.size()))]);
    score = metric.from_sum(sum).value;
  }
  return scores;
}

ConfidenceInterval confidence_interval(std::vector<double> scores) {
  HEED_CHECK(!scores.empty());
  std::sort(scores.begin(), scores.end());
  const size_t outside = scores.size() / 40;
  return {mean_of(scores), (scores[scores.size() - outside - 1] - scores[outside]) / 2};
}

double bootstrap_p_value(const Metric& metric, const std::vector<double>& baseline,
                         const std::vector<double>& system, double difference) {
  HEED_CHECK(baseline.size() == system.size() && !system.empty());
  std::vector<double> differences;
  for (size_t i = 0; i < system.size(); ++i)
    differences.push_back(std::abs(system[i] - baseline[i]));
  const double mean = mean_of(differences);
  const auto as_large = std::ranges::count_if(
      differences, [&](double sample) { return is_as_large(metric, sample - mean, difference); });
  return p_value(static_cast<size_t>(as_large), differences.size());
}

double randomization_p_value(const Metric& metric, const std::vector<Statistics>& baseline,
                             const std::vector<Statistics>& system, double difference,
                             const Resampling& resampling) {
  HEED_CHECK(baseline.size() == system.size() && !system.empty());
  NumpyGenerator random(resampling.seed);
  size_t as_large = 0;
  for (int64_t sample = 0; sample < resampling.samples; ++sample) {
    Statistics one(system[0].size()), other(system[0].size());
    for (size_t i = 0; i < system.size(); ++i) {
      const std::array pair{&system[i], &baseline[i]};  // an index costs less than a branch
      const bool exchanged = random.random_bit();
      add_to(one, *pair[exchanged]);
      add_to(other, *pair[!exchanged]);
    }
    const double found = std::abs(metric.from_sum(one).value - metric.from_sum(other).value);
    if (is_as_large(metric, found, difference)) ++as_large;
  }
  return p_value(as_large, static_cast<size_t>(resampling.samples));
}

std::string resampled_signature(const std::string& signature, const std::string& kind,
                                const Resampling& resampling) {
  const size_t behind_references = signature.find('|');
  HEED_CHECK(behind_references != std::string::npos, "{}", signature);
  return fmt::format("{}|{}:{}|seed:{}{}", signature.substr(0, behind_references), kind,
                     resampling.samples, resampling.seed, signature.substr(behind_references));
}

std::string format_interval(const ConfidenceInterval& interval, int64_t digits) {
  return fmt::format("{:.{}f} ± {:.{}f}", interval.mean, digits, interval.half_width, digits);
}

}  // namespace heed
