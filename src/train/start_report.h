// The first lines of a training's log: the run, its data, and the limits that it runs into silently.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/run_state.h"
#include "train/train_job.h"
#include "train/training_state.h"

namespace heed {

// notes: on the start of the run. plan: nullptr for a new run.
void log_start(const TrainJob& job, const TrainingState& state,
               const std::vector<std::string>& notes, const ResumePlan* plan);

}  // namespace heed
