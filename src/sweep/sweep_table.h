// The table of a sweep: a row for each setting, with the figures of its seeds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/run_list.h"
#include "sweep/sweep_plan.h"

namespace heed {

struct SweepFigure {
  double mean = 0;
  std::optional<double> deviation{};  // sample standard deviation (with n - 1) of two runs or more
  double minimum = 0, maximum = 0;
};

struct SweepRow {
  std::string name;
  std::vector<std::pair<std::string, std::string>> changes{};  // key and value
  std::vector<std::string> seeds{};               // of the runs that the figures are of
  std::string state{};                            // "finished", "finished 2, failed 1"
  std::map<std::string, std::string> failures{};  // reason by seed
  // Their names: parameters, updates, seconds, validation.METRIC, test.SET.METRIC.
  std::map<std::string, SweepFigure> figures{};
};

struct SweepTable {
  std::vector<SweepRow> rows;
  std::vector<std::string> scores;  // names of the columns validation.… and test.…, in their order
};

// Scores of the ensemble of a setting; without scores, the reason.
struct EnsembleResult {
  std::map<std::string, double> scores{};
  std::string failure{};
};

// Results of a sweep that the folders of its runs do not have.
struct SweepResults {
  std::map<size_t, int64_t> stopped{};  // last update of settings that halving has stopped
  std::map<std::string, std::string> failures{};  // reasons by the name of the run
  std::map<size_t, EnsembleResult> ensembles{};   // by setting
};

// Rows are sorted by train.validate.metric, best first, if all settings have the same metric. A student
// of a stopped setting has no row. The row of an ensemble has the parameters of all its models.
SweepTable make_table(const SweepPlan& plan, const SweepResults& results);

// For a terminal of this width.
std::string text_table(const SweepTable& table, size_t width);
// Everything in full: of each score mean, deviation, minimum and maximum.
std::string tsv_table(const SweepTable& table);
std::string json_table(const SweepTable& table);

}  // namespace heed
