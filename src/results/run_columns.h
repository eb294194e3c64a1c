// Columns of a table of runs: numbers, state, test scores, and the settings that differ.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/run_group.h"

namespace heed {

struct RunTable {
  std::vector<RunGroup> rows;
  bool grouped = false;  // scores are means with deviations, and seeds no setting that differs
};

// Reads a number of a run; nullopt: the run does not have it.
using RunNumber = std::optional<double> (*)(const RunSummary&);
std::optional<double> updates_of(const RunSummary& run);
std::optional<double> seconds_of(const RunSummary& run);
std::optional<double> best_update_of(const RunSummary& run);
// Mean over the counted runs of a row that have the number.
std::optional<Spread> number_of(const RunGroup& row, RunNumber number);

// A test set and a metric, of which a run may have a score.
struct TestName {
  std::string set, metric;
  bool operator==(const TestName&) const = default;
};
// Names of all test scores of the table, in the order of the rows.
std::vector<TestName> test_names(const RunTable& table);
std::optional<Spread> test_of(const RunGroup& row, const TestName& test);

// The metric of the best scores of a row, whose runs have the same.
const std::string& metric_of(const RunGroup& row);

// "finished"; of runs in several states "finished 2, running 1".
std::string state_of(const RunGroup& row);

// The settings, apart from `run`, that all runs have and that are not the same in all, in the order
// of the config. (A setting that only some have belongs to one kind of model or one version.)
std::vector<std::string> differing_settings(const RunTable& table);

// The end of each key that no other key has: "rate", "encoder.layers"; "score" of "….score.type".
std::vector<std::string> short_keys(std::vector<std::string> keys);

// Texts of cells, for readers; kNoValue for a number that no run of the row has.
inline constexpr const char* kNoValue = "-";
std::string score_text(const std::optional<Spread>& score, const std::string& metric);
std::string count_text(const std::optional<Spread>& count);
std::string time_text(const RunGroup& row);
// The value of a setting in all runs of the row.
std::string setting_text(const RunGroup& row, const std::string& key);
// The metric of all best scores; "" if there are several.
std::string common_metric(const RunTable& table);

}  // namespace heed
