// How the lines of a model become ids, from its config and codecs.
#pragma once

#include <vector>

#include "data/pair_encoder.h"
#include "model/saved_model_config.h"

namespace heed {

std::vector<SourceFactor> source_factors(const SavedModelConfig& config, const Codecs& codecs);
// Sources with equally many entries: sentences if their encoder has a state for each, else tokens.
std::vector<SourceEntries> source_entries(const SavedModelConfig& config, const Codecs& codecs);

// Encoder of the lines of a model, with its codecs.
PairEncoder pair_encoder(const SavedModelConfig& config, const Codecs& codecs);

}  // namespace heed
