// A phase of the training after the first (phase_config.h), of built parts.
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
  int64_t after = 0;          // updates before its first
  LearningConfig learning{};  // of its updates
  ModelConfig model{};        // with its probabilities of dropout, else that of the run
  std::shared_ptr<BatchStream> batches{};  // the stream of the phase before where nothing differs
  bool resets_optimizer = false, resets_schedule = false;
  std::string description{};  // for the log
};

// The phase that made this update, the first being 0; of no update the first.
size_t phase_of(const std::vector<TrainPhase>& phases, int64_t update);
// The updates before which the schedule of a phase began; 0: with the training.
int64_t schedule_begin(const std::vector<TrainPhase>& phases, size_t phase);
// Where a phase begins to read a stream of its own: an epoch that no phase has begun.
BatchPosition next_epoch(const BatchPosition& position);

}  // namespace heed
