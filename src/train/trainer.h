// The training loop: updates until a limit, patience or a signal ends it, with validations,
// checkpoints and the log between. Where a limit ends it between two validations, one more is added,
// so that the last updates may be the best. A resumed run with a later limit forgets that one, and
// equals a run that had this limit from the start.
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
  int signal = 0;         // that stopped it, or 0; SIGTERM where it came to another process
  bool of_phase = false;  // the next phase begins
  bool by_patience = false;
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
// True if a training that a limit ends still has to validate its model.
bool validation_is_due_at_end(const Ending& ending, const Progress& progress);
// Forgets the validation that a former end added, unless the training has ended by the present limits
// too. A resumed run calls it before anything else.
void forget_former_end(const TrainConfig& config, Progress& progress);

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

  // A checkpoint is written when it returns; after a limit of updates, epochs or time its model is
  // validated, after patience or a signal only where a validation was due. Throws
  // Error(kDiverged) after `max_skipped` updates in a row that were not finite, and before a
  // validation or a checkpoint of a model that is not sound: parameters, their average or the state
  // of the optimizer are not finite; the batch of the last step has a loss that is not finite or
  // absurd, by the parameters that the step gave; validation finds no numbers. Then nothing is
  // saved.
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
  void validate(bool at_end);
  void validate_at_end(const Ending& ending);
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
