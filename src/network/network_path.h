// Loading of networks that a user names by their paths.
#pragma once

#include <string>
#include <vector>

#include "network/network_model.h"

namespace heed {

// Runs, checkpoints or model folders; several become an ensemble. Without an engine. Throws
// Error(kModel), and Error(kUsage) for a device that is not there.
NetworkModel load_network_model(const std::vector<std::string>& paths, const std::string& device);

}  // namespace heed
