// A phase of the training after the first (phase_config.h), with built parts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/batch_stream.h"
#include "model/model_config.h"
#include "train/learning_config.h"

namespace heed {

struct TrainPhase {
  int64_t after = 0;          // updates before its first update
  LearningConfig learning{};  // settings for its updates
  ModelConfig model{};        // that of the run, with the dropout probabilities of the phase
  std::shared_ptr<BatchStream> batches{};  // the stream of the previous phase if nothing differs
  bool resets_optimizer = false, resets_schedule = false;
  std::string description{};  // for the log
};

// Index of the phase that made this update, counted from 0; 0 without updates.
size_t phase_of(const std::vector<TrainPhase>& phases, int64_t update);
// Number of updates before the schedule of a phase began; 0: the schedule began with the training.
int64_t schedule_begin(const std::vector<TrainPhase>& phases, size_t phase);
// Position at which a phase begins to read a separate stream: an epoch that no phase has begun.
BatchPosition next_epoch(const BatchPosition& position);

}  // namespace heed
