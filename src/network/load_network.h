// Models that libtorch computes, for a caller that knows nothing of it.
#pragma once

#include "load/model_request.h"
#include "translate/text_model.h"

namespace heed {

// With its engine, which computes in the thread that calls it. Throws Error(kModel), and
// Error(kUsage) for a device that is not there or a precision that the model does not have.
TextModel load_network(const ModelRequest& request);

}  // namespace heed
