// Successive halving: the rungs of a sweep, and the settings that go on after each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sweep/run_pool.h"

namespace heed {

// Indices of the best scores, in their order: the fraction `keep`, rounded up, at least one and not
// all. Higher is better; nullopt is worse than any score; ties go to the earlier.
std::vector<size_t> best_settings(const std::vector<std::optional<double>>& scores, double keep);

// Score of a setting at an update: the mean of the best validation of each run up to there, with a
// sign such that higher is better. nullopt if a run lacks it.
std::optional<double> score_at(const std::vector<const PlannedRun*>& runs, int64_t update);

// Trains all runs of the settings of the config: rung by rung with halving, else in full. Returns the
// settings that were stopped, with their last update. Ends early after a signal (RunPool::signal()).
std::map<size_t, int64_t> train_all(const SweepPlan& plan, RunPool& pool);

}  // namespace heed
