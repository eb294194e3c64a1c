// Runs whose configs are equal except for their seed: groups of them, and their mean scores.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/run_list.h"

namespace heed {

// Indices of configs that are equal except for `seed` and `run`, in the order of their first run. A
// config that could not be read forms a separate group.
std::vector<std::vector<size_t>> groups_by_seed(const std::vector<RunSettingValues>& configs);
void warn_of_no_groups();

// One name for several: the common parts, and in braces the parts that differ, as in a shell:
// "base-{1,2,3}". Words and numbers are not split.
std::string common_name(const std::vector<std::string>& names);

// Mean and sample standard deviation (with n - 1) of some values.
struct Spread {
  double mean = 0;
  std::optional<double> deviation{};  // of two values or more
};
// nullopt for an empty list.
std::optional<Spread> spread_of(const std::vector<double>& values);

struct RunGroup {
  std::string name;
  std::vector<RunSummary> runs;  // one at least
};

// A separate group for each run.
std::vector<RunGroup> single_runs(std::vector<RunSummary> runs);
// Groups of runs that differ by seed alone. Warns if no runs form a group, and of runs in a group
// that are not counted, have the same seed, or lack the score that others have.
std::vector<RunGroup> group_by_seed(const std::vector<RunSummary>& runs);

// Warns of runs in a group that are in training, and so not counted.
void warn_of_running(const RunGroup& group);
// Warns of runs in a group that have the same seed.
void warn_of_same_seeds(const RunGroup& group);

// The runs whose numbers are in the means: all except running ones, or all if all are running.
std::vector<RunSummary> counted_runs(const RunGroup& group);

// Mean of the best scores of the counted runs; nullopt: none has one.
std::optional<Spread> best_of(const RunGroup& group);

enum class RunOrder { kScore, kName, kUpdates, kTime };
// Sorts by means. Score: best first, grouped by metric, runs without a score last. Updates and
// time: the largest first.
void sort_groups(std::vector<RunGroup>& groups, RunOrder order);

}  // namespace heed
