// How the lines of a model become ids, from its config and codecs.
#pragma once

#include <vector>

#include "data/pair_encoder.h"
#include "model/saved_model_config.h"

namespace heed {

std::vector<SourceFactor> source_factors(const SavedModelConfig& config, const Codecs& codecs);
// Sources with equally many entries: sentences if their encoder has a state for each, else tokens.
std::vector<SourceEntries> source_entries(const SavedModelConfig& config, const Codecs& codecs);

// Names of the inputs of a model: the sources, "edges" if it has attention along edges, its source
// factors, and "tag" if its data had tags.
std::vector<std::string> inputs_of(const SavedModelConfig& config);

// Encoder of the lines of a model, with its codecs.
PairEncoder pair_encoder(const SavedModelConfig& config, const Codecs& codecs);

}  // namespace heed
