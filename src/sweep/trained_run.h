// Compares the folder of a run with the plan of a sweep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/changed_settings.h"
#include "sweep/sweep_plan.h"

namespace heed {

struct TrainedRun {
  // Settings and data that differ from the plan and that figures of the run depend on. Limits that
  // are raised and other test sets are none: the training goes on with them.
  std::vector<ChangedSetting> changed{};
  bool goes_on = false;            // a limit is raised, or the test sets have changed
  std::optional<int64_t> limit{};  // train.max_updates of its last training
  bool finished = false;           // its last training has reached its end
  bool diverged = false;
  int64_t saved = 0;  // update of the last checkpoint

  // True if it is trained up to this number of updates, or in full.
  bool is_done(std::optional<int64_t> updates) const;
};

TrainedRun look_at_run(const PlannedRun& run);

// The hash of the best model of a run. Throws Error(kModel) if it has none.
std::string hash_of_model(const PlannedRun& run);

// Compares the config that a run has stored with that of the plan; fills in what follows from it.
void compare_settings(const RunConfig& stored, const RunConfig& planned, TrainedRun& run);

}  // namespace heed
