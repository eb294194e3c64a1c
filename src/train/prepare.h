// From a run that is asked for to one that is ready to begin:
//
//   const auto run = prepare(find_run({.config = "en-de.yaml"}), {});
//   return run->run();
//
// Everything is read and built before anything is written, so a mistake costs no run that is there.
#pragma once

#include <memory>

#include "run/changed_data.h"
#include "run/run_lock.h"
#include "run/run_spec.h"
#include "train/processes.h"
#include "train/training.h"

namespace heed {

class PreparedRun {
 public:
  // Opens the folder, trains, then scores the test sets. Returns the exit code: 0, or 129, 130 and
  // 143 after a signal. Throws Error: kDiverged, kIo, kModel, kData.
  int run();

  const Training& training() const { return training_; }

 private:
  friend std::unique_ptr<PreparedRun> prepare(RunSpec spec, const TrainingProcess& process);
  PreparedRun(RunSpec spec, TrainingProcess process, std::optional<RunLock> lock,
              ChangedData changed, TrainJob job, std::optional<ResumePlan> plan);
  void open();

  RunSpec spec_;
  TrainingProcess process_;
  std::optional<RunLock> lock_;  // of the first process, if there was a run already
  ChangedData changed_;
  bool resumes_;
  Training training_;
};

// Locks a run that is there, and reads all data. All processes of a training call it with the same
// spec. Throws Error: kUsage, kModel, kIo, kData.
std::unique_ptr<PreparedRun> prepare(RunSpec spec, const TrainingProcess& process);

// Takes the same steps for one process, and accepts and refuses what prepare() does. It takes no
// lock, and a new run may have any folder.
std::unique_ptr<const Training> rehearse(RunSpec spec);

}  // namespace heed
