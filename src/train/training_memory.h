// Checks that the model of a config can be trained in the memory of this machine.
#pragma once

#include "model/saved_model_config.h"
#include "run/run_config.h"

namespace heed {

// Throws Error(kUsage).
void check_training_memory(const RunConfig& config, const VocabularySizes& sizes);

}  // namespace heed
