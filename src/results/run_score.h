// Names of the scores that compare runs.
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
  // nullptr: the run has no score of this test set.
  const TestScore* test_of(const RunSummary& run) const;
};

// Finds the score with this name in the runs. Throws Error(kUsage) if no run has it, with a list of
// their scores, and for "best" if the runs have different metrics.
RunScore find_score(const std::vector<RunSummary>& runs, const std::string& name);

// Number of decimals of a score in a table for a terminal, and in a table for a paper.
int decimals_of(const std::string& metric);
int paper_decimals_of(const std::string& metric);

}  // namespace heed
