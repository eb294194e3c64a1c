// The training loop: updates until a limit, patience or a signal ends it, with validations,
// checkpoints and the log between.
#pragma once

#include <optional>
#include <string>

#include "distributed/reducer.h"
#include "train/parts.h"
#include "train/train_config.h"

namespace heed {

// Reason why a run ended.
struct Ending {
  std::string reason;
  int signal = 0;         // that stopped it, or 0; SIGTERM if another process received it
  bool of_phase = false;  // true if the next phase begins
};

// Settings of the updates of one phase.
struct Span {
  const LearningConfig& learning;
  int64_t schedule_begin = 0;    // updates before its schedule began; 0: with the training
  std::optional<int64_t> end{};  // last update; nullopt: up to the end of the training
};

// True if the present model still has to be validated.
bool validation_is_due(const ValidateConfig& config, const Progress& progress);
// Limits that `progress` has reached, including patience; nullopt if the run may continue.
std::optional<Ending> reached_limit(const TrainConfig& config, const Progress& progress);

struct TrainerParts {
  BatchStream& batches;
  Workers& workers;
  Stepper& stepper;
  Validator* validator;  // nullptr: no validation set
  CheckpointStore& checkpoints;
  TrainLog& log;
  Clock& clock;
  Reducer& reducer;
};

class Trainer {
 public:
  // progress: state to start from; the stream is moved to its batch position.
  Trainer(const TrainConfig& config, TrainerParts parts, Progress progress)
      : Trainer(config, {.learning = config}, parts, std::move(progress)) {}
  Trainer(const TrainConfig& config, const Span& span, TrainerParts parts, Progress progress);

  // Runs the loop. A checkpoint is written when it returns, with a validation only if one was due.
  // Throws Error(kDiverged) after `max_skipped` updates in a row that were not finite. Also throws
  // it, without saving, before a validation or a checkpoint of a model that is not sound:
  // parameters, their average or the optimizer state are not finite; the batch of the last step has
  // a loss that is not finite or absurd with the updated parameters; or validation finds NaN.
  Ending run();

  const Progress& progress() const { return progress_; }

 private:
  bool is_interrupted() const;  // in any process
  bool save_is_due() const;
  void update();
  void take_step(const UpdateReport& report);
  void move_baseline(double log_probability);
  void skip(const std::string& reason);
  [[noreturn]] void diverged(const std::string& reason) const;
  void require_sound();
  ValidationReport validation_report() const;
  void validate();
  void save();
  void keep_time();

  double schedule_factor() const;

  const TrainConfig& config_;
  Span span_;
  TrainerParts parts_;
  Progress progress_;
  std::optional<Update> unchecked_{};  // the last step, whose parameters require_sound() checks
  int64_t saved_;                      // update of the last checkpoint; 0 without one
  double last_time_;
  bool changed_ = false;  // since the last checkpoint
  bool newly_validated_ = false;
};

}  // namespace heed
