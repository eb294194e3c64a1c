// A model as the library loads it.
#pragma once

#include "load/model_request.h"
#include "translate/text_model.h"

namespace heed {

// Loads a model with its engine: without libtorch if the engines of inference/ support it, else by
// libheed_network from the folder of the library. Throws Error(kModel), and Error(kFailure) if
// libheed_network is missing.
TextModel load_model(const ModelRequest& request);

}  // namespace heed
