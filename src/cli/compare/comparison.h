// Results of `heed compare`: the scores of systems and of parts of their texts.
#pragma once

#include <optional>
#include <string>
#include <vector>

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

}  // namespace heed
