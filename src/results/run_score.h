// Scores by which runs are compared, as a user names them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/run_list.h"

namespace heed {

// A score of the best checkpoint.
struct RunScore {
  std::string name{};    // "best", "validation.loss", "test.news.bleu"
  std::string set{};     // of a test; "": the validation
  std::string metric{};  // "" for "best", which is train.validate.metric of each run

  std::optional<double> of(const RunSummary& run) const;
  // The score of a test set; nullptr: the run has none.
  const TestScore* test_of(const RunSummary& run) const;
};

// Finds the score of this name in the runs. The metric of "best" is that of the runs. Throws
// Error(kUsage) for a score that no run has, with those that they have, and for "best" of runs with
// different metrics.
RunScore find_score(const std::vector<RunSummary>& runs, const std::string& name);

// Number of decimals of a score in a table for a terminal, and in a table for a paper.
int decimals_of(const std::string& metric);
int paper_decimals_of(const std::string& metric);

}  // namespace heed
