#include "metric/comparison.h"

#include <cmath>

namespace heed {

namespace {

// One system as both tests see it.
struct Sampled {
  std::vector<Statistics> lines;
  std::vector<double> scores;  // of bootstrap samples
  double score = 0;
};

Sampled sample(const Metric& metric, std::vector<Statistics> lines, const Resampling& bootstrap) {
  Sampled result{std::move(lines), {}, 0};
  result.scores = bootstrap_scores(metric, result.lines, bootstrap);
  result.score = score_lines(metric, result.lines);
  return result;
}

double find_p_value(const Metric& metric, const Sampled& baseline, const Sampled& system,
                    const Significance& significance) {
  const double difference = std::abs(baseline.score - system.score);
  if (difference == 0) return 1;  // every sample has a difference of at least 0
  if (significance.test == SignificanceTest::kBootstrap)
    return bootstrap_p_value(metric, baseline.scores, system.scores, difference);
  return randomization_p_value(metric, baseline.lines, system.lines, difference,
                               significance.resampling());
}

std::string signature_of(const Metric& metric, size_t references,
                         const Significance& significance) {
  const bool exchanges = significance.test == SignificanceTest::kRandomization;
  return resampled_signature(metric.signature(references), exchanges ? "ar" : "bs",
                             significance.resampling());
}

Breakdown score_by_length(const Metric& metric, const ComparedTexts& texts,
                          const std::vector<std::vector<Statistics>>& systems,
                          const WordSplit& split) {
  Breakdown parts{metric.name(), "words of the reference", "lines", split.signature(), {}, {}, {}};
  for (const LineGroup& group : group_by_length(texts.references.front(), split)) {
    parts.groups.push_back(group.name);
    parts.sizes.push_back(std::ssize(group.lines));
    auto& scores = parts.scores.emplace_back();
    for (const std::vector<Statistics>& lines : systems) {
      std::vector<Statistics> some;
      for (const size_t line : group.lines) some.push_back(lines[line]);
      scores.push_back(metric.from_sum(sum_statistics(some)).value);
    }
  }
  return parts;
}

}  // namespace

Resampling Significance::bootstrap() const {
  Resampling bootstrap{.seed = seed};
  if (test == SignificanceTest::kBootstrap) bootstrap.samples = samples.value_or(bootstrap.samples);
  return bootstrap;
}

Resampling Significance::resampling() const {
  constexpr int64_t kExchanges = 10'000;
  if (test == SignificanceTest::kRandomization) return {samples.value_or(kExchanges), seed};
  return bootstrap();
}

// The lines of all systems and, as often, the references are one text, so that the statistics of all
// have one form.
std::vector<std::vector<Statistics>> line_statistics(const Metric& metric,
                                                     const ComparedTexts& texts) {
  Lines joined;
  References references(texts.references.size());
  for (const Lines& lines : texts.systems) {
    joined.insert(joined.end(), lines.begin(), lines.end());
    for (size_t i = 0; i < references.size(); ++i)
      references[i].insert(references[i].end(), texts.references[i].begin(),
                           texts.references[i].end());
  }
  const auto all = metric.line_statistics(joined, references);
  std::vector<std::vector<Statistics>> systems;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = begin + std::ssize(texts.systems.front());
    systems.emplace_back(begin, end);
    begin = end;
  }
  return systems;
}

double p_value(const Metric& metric, const std::vector<Statistics>& baseline,
               const std::vector<Statistics>& system, const Significance& significance) {
  return find_p_value(metric, sample(metric, baseline, significance.bootstrap()),
                      sample(metric, system, significance.bootstrap()), significance);
}

Comparison compare(const Metric& metric, const ComparedTexts& texts,
                   const Significance& significance, const std::optional<WordSplit>& by_length) {
  const auto all = line_statistics(metric, texts);
  Comparison result{
      metric.name(), signature_of(metric, texts.references.size(), significance), {}, std::nullopt};
  std::optional<Sampled> baseline;
  for (size_t i = 0; i < all.size(); ++i) {
    Sampled system = sample(metric, all[i], significance.bootstrap());
    result.systems.push_back(
        {texts.names[i], system.score, confidence_interval(system.scores), std::nullopt});
    if (baseline) {
      result.systems.back().p = find_p_value(metric, *baseline, system, significance);
    } else {
      baseline = std::move(system);
    }
  }
  if (by_length) result.by_length = score_by_length(metric, texts, all, *by_length);
  return result;
}

Breakdown score_by_frequency(const ComparedTexts& texts, const WordCounts& counts,
                             const std::string& counted, const WordSplit& split) {
  Breakdown parts{"word F1", "occurrences in " + counted, "words", split.signature(), {}, {}, {}};
  for (const Lines& lines : texts.systems) {
    const auto groups = f1_by_frequency(lines, texts.references.front(), counts, split);
    parts.scores.resize(groups.size());
    const bool first = parts.groups.empty();
    for (size_t g = 0; g < groups.size(); ++g) {
      parts.scores[g].push_back(groups[g].f1);
      if (!first) continue;
      parts.groups.push_back(groups[g].name);
      parts.sizes.push_back(groups[g].words);
    }
  }
  return parts;
}

}  // namespace heed
