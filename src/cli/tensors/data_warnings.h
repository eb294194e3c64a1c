// What the data of a config show that is nearly always a mistake (data/corpus_checks.h), as warnings.
#pragma once

#include "cli/tensors/run_config.h"
#include "data/training_text.h"

namespace heed {

// config: as read_run_config() gives it. text: its training data.
void warn_of_data(const RunConfig& config, const TrainingText& text);

}  // namespace heed
