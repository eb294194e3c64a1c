// The runs below a folder, and the state of each; without libtorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/run_metrics.h"

namespace heed {

enum class RunProgress {
  kRunning,   // a process trains it
  kFinished,  // ended by a limit or by early stopping
  kStopped,   // interrupted, killed or failed; --resume continues
  kDiverged,
  kNoCheckpoint,  // stopped before the first one
};
const char* word_of(RunProgress progress);

// The validation of the best checkpoint by train.validate.metric.
struct BestScore {
  double value = 0;
  int64_t update = 0;
  std::string comparison_key{};  // MetricLine::comparison_key()
};

// The score of a test set.
struct TestScore {
  std::string set, metric;
  double value = 0;
  std::string signature{};
  std::string text_hash{};  // of the set; "": unknown, earlier versions did not keep it
};

// "nrefs:1|tok:13a" of "nrefs:1|tok:13a|version:heed-0.1.0"
std::string without_version(const std::string& signature);

struct RunSummary {
  std::string name;  // its path below the folder, or the shortest one that tells several apart
  std::filesystem::path folder{};
  RunProgress progress = RunProgress::kStopped;
  int64_t updates = 0;
  std::optional<double> seconds{};  // of training
  std::string metric{};             // train.validate.metric; "": unknown
  std::optional<BestScore> best{};
  std::map<std::string, double> validation{};  // figures of the checkpoint of `best`, by name
  std::vector<TestScore> tests{};  // of the checkpoint of `best`; without one, of the last tested
  RunSettingValues settings{};
};

// Lists each run in the folders and in their sub-folders once; a folder may itself be a run. Runs
// of one folder are sorted by name. Warns about files that cannot be read, and with several folders
// about each one without a run. Throws Error(kModel) if no run is found, and Error(kIo) if the only
// folder cannot be read.
std::vector<RunSummary> list_runs(const std::vector<std::string>& folders);

// Warns about scores of one metric that cannot be compared: best scores on different validation
// sets or with different settings, and test scores of different texts or with different signatures,
// the version of heed aside.
void warn_of_scales(const std::vector<RunSummary>& runs);

// True if a higher score is better. metric: name of a metric, "loss" or "perplexity".
bool higher_is_better(const std::string& metric);

}  // namespace heed
