// Check that a model can learn word alignments.
#pragma once

#include <string>

#include "model/model_config.h"

namespace heed {

// Adds a problem unless the decoder has attention weights over source tokens that a loss trains. path:
// of the setting that asks for it.
void check_alignment_of(const ModelConfig& model, const std::string& path, Problems& problems);

}  // namespace heed
