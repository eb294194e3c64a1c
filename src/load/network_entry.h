// Function that libheed_network exports. The library opens libheed_network for models that need
// libtorch. Both come from one build, and each has a copy of the code of the layers below.
#pragma once

#include "load/model_request.h"
#include "translate/text_model.h"

// load_network() (network/load_network.h).
extern "C" __attribute__((visibility("default"))) void heed_load_network(
    const heed::ModelRequest& request, heed::TextModel& model);
