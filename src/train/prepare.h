// Makes a run that is asked for ready to begin:
//
//   const auto run = prepare(find_run({.config = "en-de.yaml"}), {});
//   return run->run();
//
// {}: this process alone. Nothing of a run is changed before all is read and built, so a mistake
// damages no run. Only the data cache and the lock file are written earlier.
#pragma once

#include <memory>

#include "train/training.h"
#include "train/training_steps.h"

namespace heed {

class PreparedRun {
 public:
  // Opens the folder, trains, then scores the test sets. Returns the exit code: 0, or 129, 130 and
  // 143 after a signal. Throws Error: kDiverged, kIo, kModel, kData; kUsage if a run has appeared
  // in the folder of a new one since prepare().
  int run();

  const Training& training() const { return training_; }

 private:
  friend std::unique_ptr<PreparedRun> prepare(RunSpec spec, const TrainingProcess& process);
  PreparedRun(Preparation all, TrainingProcess process);
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

// Joins the processes of the launch, finds the run and prepares it in all of them. Only the first
// process logs; if all fail alike, one of them throws the message. Throws the errors of find_run()
// and prepare() too.
std::unique_ptr<PreparedRun> prepare_in_all(const RunRequest& request, const Launch& launch);

// Takes the steps of prepare() for one process, without a lock: a dry run. Does not check the folder
// of a new run.
std::unique_ptr<const Training> rehearse(RunSpec spec);
// The same with data that are read already, with these steps or with others.
std::unique_ptr<const Training> rehearse(RunSpec spec, PreparedData data, TrainingSteps& steps);

}  // namespace heed
