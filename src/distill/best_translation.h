// The translation of each line that the student learns (Kim and Rush 2016).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "metric/metric.h"

namespace heed {

struct Candidate {
  std::string text;
  double log_probability = 0;  // by the teacher, of all its tokens
};

// Index of the translation that is most like the reference by the metric. Ties go to the first, the
// teacher's best one, which is also taken without a reference. At least one candidate.
size_t best_candidate(const std::vector<Candidate>& candidates, const std::string& reference,
                      const Metric* metric);

struct ChoiceFiles {
  std::filesystem::path nbest;      // as `heed translate --format json` writes them
  std::filesystem::path reference;  // line by line
  std::filesystem::path target,
      scores;  // are written: the translations and their log-probabilities
};

// Writes both files, all or nothing. metric: single_metric_names(); nullopt: the teacher's best
// translation. Returns the number of lines for which another one than that was taken. Throws
// Error(kData) if the files have unequal numbers of lines.
int64_t choose_translations(const ChoiceFiles& files, const std::optional<std::string>& metric);

}  // namespace heed
