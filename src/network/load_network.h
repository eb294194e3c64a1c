// Models that libtorch computes, for callers that are compiled without libtorch.
#pragma once

#include "load/model_request.h"
#include "translate/text_model.h"

namespace heed {

// Loads the model with its engine, which computes in the calling thread. Throws Error(kModel), and
// Error(kUsage) for a device that does not exist or a precision that the model does not have.
TextModel load_network(const ModelRequest& request);

}  // namespace heed
