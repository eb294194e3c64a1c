// Runs whose configs are the same but for their seed: which they are, and what they are together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/run_list.h"

namespace heed {

// Indices of configs that are the same apart from `seed` and `run`, in the order of their first. A
// config that could not be read is alone.
std::vector<std::vector<size_t>> groups_by_seed(const std::vector<RunSettingValues>& configs);
void warn_of_no_groups();

// One name for several: what they have in common, and in braces what differs, as a shell writes it:
// "base-{1,2,3}". Words and numbers are not taken apart.
std::string common_name(const std::vector<std::string>& names);

// Mean and sample standard deviation (with n - 1) of some values.
struct Spread {
  double mean = 0;
  std::optional<double> deviation{};  // of two values or more
};
// nullopt: of no value.
std::optional<Spread> spread_of(const std::vector<double>& values);

struct RunGroup {
  std::string name;
  std::vector<RunSummary> runs;  // one at least
};

// Each run by itself.
std::vector<RunGroup> single_runs(std::vector<RunSummary> runs);
// Groups of runs that differ by seed alone. Warns if there is no group, of runs of a group that are
// not counted, of those with the same seed, and of those without the score that others have.
std::vector<RunGroup> group_by_seed(const std::vector<RunSummary>& runs);

// The runs whose numbers are in the means: those that are not running, unless all of them are.
std::vector<RunSummary> counted_runs(const RunGroup& group);

// Mean of the best scores of the counted runs; nullopt: none has one.
std::optional<Spread> best_of(const RunGroup& group);

enum class RunOrder { kScore, kName, kUpdates, kTime };
// Sorts by means. Score: the best first, those of one metric together, those without a score last.
// Updates and time: the most first.
void sort_groups(std::vector<RunGroup>& groups, RunOrder order);

}  // namespace heed
