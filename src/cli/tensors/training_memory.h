// Whether the model of a config can be trained in the memory of this machine.
#pragma once

#include "cli/tensors/run_config.h"

namespace heed {

// With the vocabularies as they are. Throws Error(kUsage).
void check_training_memory(const RunConfig& config, const VocabularySizes& sizes);
// With the smallest vocabularies that there can be, for configs whose data have not been read.
void check_training_memory(const RunConfig& config);

}  // namespace heed
