// Attention maps for the server, by libtorch.
#pragma once

#include <memory>

#include "cli/options.h"
#include "serve/attention_maps_source.h"

namespace heed {

// Errors: those of load_network_model().
std::unique_ptr<AttentionMapsSource> network_attention_maps(const ModelRequest& request);

}  // namespace heed
