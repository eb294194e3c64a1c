// Checks the settings of a resumed run. Marks in fields() say which may change
// (ChangeAt::kResume).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/changed_settings.h"
#include "run/run_config.h"

namespace heed {

// The settings of a run, and the parts of them that training reads.
struct RunSettings {
  Settings& all;
  TrainConfig& train;
  std::span<const RunPhase> phases{};  // none in a stored config, which has only their changes
};

// Settings that differ and that the result of training depends on, in the order of their keys.
// Marked keys may differ, except the scores that a plateau schedule reads and what a loss of whole
// sentences draws.
std::vector<ChangedSetting> refused_changes(const RunSettings& before, const RunSettings& now);

// Throws Error(kUsage) that lists these settings with both values.
void check_resumable(const RunSettings& before, const RunSettings& now, const std::string& run);

}  // namespace heed
