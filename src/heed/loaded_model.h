// A model as the library loads it.
#pragma once

#include "load/model_request.h"
#include "translate/text_model.h"

namespace heed {

// With its engine: without libtorch if the engines of inference/ support it, else by libheed_network,
// which lies beside the library. Throws Error(kModel), and Error(kFailure) if there is no such
// library here.
TextModel load_model(const ModelRequest& request);

}  // namespace heed
