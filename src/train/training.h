// A training whose model and optimizer are in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "run/run_state.h"
#include "train/metrics_file.h"
#include "train/train_job.h"
#include "train/training_state.h"

namespace heed {

class Training {
 public:
  // Loads the checkpoint of the plan, or initializes a new model; writes nothing. Throws Error:
  // kModel, kUsage, kIo; kData if the longest line of a validation or test set needs more memory
  // than there is.
  Training(TrainJob job, std::optional<ResumePlan> plan);

  // Trains, then scores the test sets; the folder is open. Returns the exit code: 0, or 129, 130
  // and 143 after a signal. Throws Error: kDiverged, kIo, kModel, kData.
  int run();

  const TrainJob& job() const { return job_; }
  const Progress& progress() const { return state_.progress; }
  const Seq2Seq& network() const { return *state_.network; }
  const std::vector<std::string>& notes() const { return notes_; }  // about the start of the run

 private:
  // transfer: from the initial model; nullopt without one.
  void initialize(const std::optional<ParameterTransfer>& transfer);
  void adapt();  // by train.lora
  // Initializes ω of `norm: admin` of a new model by the first batch.
  void profile_residuals();
  void check_frozen();
  void check_longest_lines();
  // whole: updates whose checkpoints are intact.
  int train(MetricsFile& metrics, const std::set<int64_t>& whole);

  TrainJob job_;
  std::vector<std::string> notes_;
  std::optional<ResumePlan> plan_;
  TrainingState state_;
};

}  // namespace heed
