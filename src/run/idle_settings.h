// Settings that have no effect: because of other settings, or because the training ends before.
#pragma once

#include <string>
#include <vector>

#include "run/run_config.h"

namespace heed {

// A warning for each of them. Settings of validation without a validation set are those of
// idle_validation.h.
std::vector<std::string> idle_settings(const RunConfig& config);

}  // namespace heed
