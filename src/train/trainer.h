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

// True every `config.every` updates, if this update is not validated yet.
bool validation_is_due(const ValidateConfig& config, const Progress& progress);
// The first limit reached, including patience; nullopt if the run may continue.
std::optional<Ending> reached_limit(const TrainConfig& config, const Progress& progress);
// True after a limit other than patience, if the last update is not validated yet.
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

  // Writes a checkpoint before it returns, unless nothing has changed since the last one. Validates
  // first if a limit other than patience ended it. Throws Error(kDiverged):
  // (1) after max_skipped updates in a row with a loss or gradient norm that is not finite;
  // (2) before a validation or checkpoint, if a parameter, average or optimizer state is not
  //     finite, if all updates were skipped, or if the last batch, computed again, has a loss or
  //     gradient norm that is not finite, or a loss above 10,000 nats a token;
  // (3) if a validation gives NaN. The model is then not saved.
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
