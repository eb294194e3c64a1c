// The runs below a folder, and what has become of each; without libtorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/run_metrics.h"

namespace heed {

enum class RunProgress {
  kRunning,   // a process trains it
  kFinished,  // a limit or early stopping has ended it
  kStopped,   // interrupted, killed or failed; --resume continues
  kDiverged,
  kNoCheckpoint,  // stopped before the first one
};
const char* word_of(RunProgress progress);

// The validation of the best checkpoint by train.validate.metric.
struct BestScore {
  double value = 0;
  int64_t update = 0;
  std::string scale{};  // MetricLine::scale()
};

// The score of a test set.
struct TestScore {
  std::string set, metric;
  double value = 0;
  std::string signature{};
};

struct RunSummary {
  std::string name;  // its path below the folder, or the shortest one that tells several apart
  RunProgress progress = RunProgress::kStopped;
  int64_t updates = 0;
  std::optional<double> seconds{};  // of training
  std::string metric{};             // train.validate.metric; "": unknown
  std::optional<BestScore> best{};
  std::vector<TestScore> tests{};  // of the checkpoint of `best`; without one, of the last tested
  RunSettingValues settings{};
};

// Lists each run in the folders and in the folders below them once; a folder may be a run itself.
// Runs of one folder are sorted by name. Warns of files that cannot be read, and of one of several
// folders without a run. Throws Error(kModel) if there is no run, Error(kIo) if the only folder cannot
// be read.
std::vector<RunSummary> list_runs(const std::vector<std::string>& folders);

// Warns of scores by one metric that cannot be compared: best scores of different validation sets or
// settings, and scores of a test set with different signatures, but for the version of heed.
void warn_of_scales(const std::vector<RunSummary>& runs);

// Tells if a higher score is better; metric: the name of one, "loss" or "perplexity".
bool higher_is_better(const std::string& metric);

}  // namespace heed
