// Settings that a resumed run may change.
#pragma once

#include <string>
#include <vector>

#include "config/changed_settings.h"

namespace heed {

// Settings that differ and that the result of training depends on, in the order of their keys.
// These may change: limits, validation (except the scores that a plateau schedule reads), logging,
// kept checkpoints, search, paths of run and data, the device, and settings that save memory or
// time.
std::vector<ChangedSetting> refused_changes(const FlatConfig& before, const FlatConfig& now);

// Throws Error(kUsage) that lists these settings with both values.
void check_resumable(const FlatConfig& before, const FlatConfig& now, const std::string& run);

}  // namespace heed
