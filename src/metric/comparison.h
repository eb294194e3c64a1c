// Comparison of systems with a baseline: scores, the significance of their differences, and scores
// of parts of the texts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metric/breakdown.h"
#include "metric/metric.h"
#include "metric/resampling.h"

namespace heed {

struct ComparedTexts {
  std::vector<std::string> names{};  // of the systems, the baseline first
  std::vector<Lines> systems{};
  References references;
};

struct ComparedSystem {
  std::string name;
  double score = 0;
  ConfidenceInterval confidence;
  std::optional<double> p;  // none for the baseline
};

// Scores of parts of the texts.
struct Breakdown {
  std::string title;                        // what is scored: "BLEU"
  std::string group_title, size_title;      // "words of the reference", "lines"
  std::string signature;                    // what a word of the groups is: "case:mixed|tok:13a"
  std::vector<std::string> groups;          // "10-19"
  std::vector<int64_t> sizes;               // of each group
  std::vector<std::vector<double>> scores;  // [group][system]
};

struct Comparison {
  std::string name, signature;
  std::vector<ComparedSystem> systems;
  std::optional<Breakdown> by_length;
};

enum class SignificanceTest { kBootstrap, kRandomization };

struct Significance {
  SignificanceTest test = SignificanceTest::kBootstrap;
  uint32_t seed = Resampling{}.seed;
  std::optional<int64_t> samples;  // unset: 1,000, or 10,000 for randomization
  Resampling bootstrap() const;    // for the confidence intervals
  Resampling resampling() const;   // for p
};

// The statistics of each system's lines, in one form: the references are those of all.
// [system][line]
std::vector<std::vector<Statistics>> line_statistics(const Metric& metric,
                                                     const ComparedTexts& texts);
// p of the difference between two systems, from the statistics of their lines.
double p_value(const Metric& metric, const std::vector<Statistics>& baseline,
               const std::vector<Statistics>& system, const Significance& significance);

// Compares the systems with the first one; also by length of the reference in words of `by_length`.
Comparison compare(const Metric& metric, const ComparedTexts& texts,
                   const Significance& significance, const std::optional<WordSplit>& by_length);

// F1 of words by their frequency. counted: name of the text whose words are counted.
Breakdown score_by_frequency(const ComparedTexts& texts, const WordCounts& counts,
                             const std::string& counted, const WordSplit& split);

}  // namespace heed
