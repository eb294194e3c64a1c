// Progress of a run. A checkpoint saves only this, the model and the optimizer state: random draws
// are keyed by the number of the update, and the best score, patience and the schedule follow from
// the validations.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "data/batch_stream.h"
#include "run/validation.h"

namespace heed {

// Sums over the target tokens of some batches.
struct TokenSums {
  double loss = 0;                      // minimised: smoothed, with auxiliary losses; nats
  double negative_log_probability = 0;  // not smoothed; nats
  int64_t tokens = 0;                   // target tokens
  int64_t source_tokens = 0;
  int64_t correct = 0;
  int64_t examples = 0;
  TokenSums& operator+=(const TokenSums& other);
  // NaN without tokens, for example if all updates were skipped.
  double per_token(double sum) const {
    return tokens > 0 ? sum / static_cast<double>(tokens) : std::nan("");
  }
};

struct Progress {
  int64_t update = 0;           // finished updates, including skipped ones
  int64_t examples = 0;         // processed by the model
  int64_t earlier_updates = 0;  // of the initial model, if the schedule continues from there
  int64_t skipped = 0;          // updates skipped because something was not finite
  int64_t skipped_in_a_row = 0;
  // Moving mean of log p of a target token: each update multiplies the earlier mean by 0.9 (Xu et
  // al. 2015, section 4.1). nullopt before the first update.
  std::optional<double> baseline{};
  double seconds = 0;      // of training, including validation and all resumed runs
  BatchPosition position;  // of the next batch
  Validations validations;
  TokenSums since_log;  // of the updates since the last log line

  // Updates that the learning rate schedule counts.
  int64_t updates_of_schedule() const { return earlier_updates + update; }

  // Epoch of the last update, from 1.
  int64_t epoch() const {
    return position.batch == 0 && position.epoch > 0 ? position.epoch : position.epoch + 1;
  }
  // True if the present validation set has already been scored after the last update.
  bool validated() const;
};

std::string to_json(const Progress& progress);
// Throws Error(kModel) that begins with `where`.
Progress progress_from_json(const std::string& text, const std::string& where);

}  // namespace heed
