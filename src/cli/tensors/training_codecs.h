// The codecs of a config's training data.
#pragma once

#include "cli/tensors/run_config.h"
#include "data/training_text.h"
#include "text/codecs.h"

namespace heed {

// Learned from the text, as build_codecs() does.
Codecs learn_codecs(const RunConfig& config, const TrainingText& text, const Codecs& former = {});

}  // namespace heed
