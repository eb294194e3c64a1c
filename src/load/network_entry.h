// What libheed_network exports, which the library opens for models that need libtorch. Both are of
// one build, each with its own copy of the code of the layers below.
#pragma once

#include "load/model_request.h"
#include "translate/text_model.h"

// load_network() (network/load_network.h).
extern "C" __attribute__((visibility("default"))) void heed_load_network(
    const heed::ModelRequest& request, heed::TextModel& model);
