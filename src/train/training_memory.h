// Checks that the model of a config can be trained in the memory of this machine.
#pragma once

#include "model/saved_model_config.h"
#include "run/run_config.h"

namespace heed {

// Uses the given vocabulary sizes. Throws Error(kUsage).
void check_training_memory(const RunConfig& config, const VocabularySizes& sizes);
// Uses the smallest possible vocabularies, for configs whose data have not been read.
void check_training_memory(const RunConfig& config);

}  // namespace heed
