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

struct RunSummary {
  std::string name;  // its path below the folder
  RunProgress progress = RunProgress::kStopped;
  int64_t updates = 0;
  std::optional<double> seconds{};  // of training
  std::string metric{};             // train.validate.metric; "": unknown
  std::optional<BestScore> best{};
  RunSettingValues settings{};
};

// Of the runs in the folder and in the folders of it, or of the folder itself if it is a run; sorted
// by name. Warns of what cannot be read in it. Throws Error(kModel) if there is no run, Error(kIo)
// if the folder itself cannot be read.
std::vector<RunSummary> list_runs(const std::filesystem::path& folder);

// Warns of best scores by one metric that cannot be compared, because they are of different
// validation sets or made with different settings.
void warn_of_scales(const std::vector<RunSummary>& runs);

enum class RunOrder { kScore, kName, kUpdates, kTime };
// By score: best first, those of one metric together, those without a score last. By updates and
// time: most first.
void sort_runs(std::vector<RunSummary>& runs, RunOrder order);

}  // namespace heed
