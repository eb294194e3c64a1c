// Memory that the training of a model needs at most, known from its config alone. train/ computes it
// exactly, from the network (training_memory.h).
#pragma once

#include <cstdint>

#include "model/saved_model_config.h"
#include "run/run_config.h"

namespace heed {

// Number of gradients that are kept for each parameter.
int64_t gradients_kept(const TrainConfig& train);
// The smallest possible vocabularies of a config whose data have not been read.
VocabularySizes smallest_vocabularies(const RunConfig& config);

// True if any model with these settings fits into the memory of this machine. False says nothing.
bool fits_surely(const RunConfig& config, const VocabularySizes& sizes);

}  // namespace heed
