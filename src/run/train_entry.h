// Function that libheed_network exports for the training of a run. Both libraries come from one
// build, and each has a copy of the code of the layers below.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "run/run_spec.h"

namespace heed {

// Functions of the caller; they may be called from several threads.
struct TrainingCalls {
  // Receives each line of the log: level (info, warn, error) and message.
  std::function<void(const std::string& level, const std::string& message)> log{};
  std::function<bool()> stop{};  // true ends the training after the current batch
};

struct TrainingOutcome {
  std::string folder{};
  bool finished = false;  // false: stopped, and may be resumed
  int64_t updates = 0;    // of all trainings of this run
};

}  // namespace heed

// Trains as `heed train` does. Throws the errors of find_run(), prepare() and PreparedRun::run(),
// and Error(kUsage) if another training runs in this process.
extern "C" __attribute__((visibility("default"))) void heed_train_run(
    const heed::RunRequest& request, const heed::TrainingCalls& calls,
    heed::TrainingOutcome& outcome);
