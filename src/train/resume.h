// Which settings a resumed run may change.
#pragma once

#include <string>
#include <vector>

#include "config/changed_settings.h"

namespace heed {

// The settings that differ and that the result of training depends on; in the order of their keys.
// Limits, validation (but for the scores that a plateau schedule reads), logging, kept checkpoints,
// search, paths of run and data, the device and what saves memory or time may change.
std::vector<ChangedSetting> refused_changes(const FlatConfig& before, const FlatConfig& now);

// Throws Error(kUsage) that lists them all with both values.
void check_resumable(const FlatConfig& before, const FlatConfig& now, const std::string& run);

}  // namespace heed
