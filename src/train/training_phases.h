// All phases of a training, one after the other.
#pragma once

#include <cstdint>
#include <set>

#include "train/checkpoints.h"
#include "train/metrics_file.h"
#include "train/trainer.h"
#include "train/training_state.h"

namespace heed {

// Store that writes checkpoints of `state`. It refers to the job and to the present model and
// optimizer: a phase with another optimizer needs another store. whole: updates whose checkpoints
// are intact.
RunCheckpoints checkpoints_of(const TrainJob& job, const TrainingState& state,
                              const std::set<int64_t>& whole);

// Trains from the present state to the end. Throws Error: kDiverged, kIo.
Ending train_phases(const TrainJob& job, TrainingState& state, MetricsFile& metrics,
                    const std::set<int64_t>& whole);

}  // namespace heed
