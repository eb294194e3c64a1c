// Runs in the cells of a table: rows and columns are values of settings, and the runs of a cell are
// merged to a mean.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/run_group.h"
#include "results/run_score.h"

namespace heed {

struct PivotRequest {
  std::vector<std::string> by{};         // keys of settings; empty: a row for each group
  std::optional<std::string> across{};   // key of the setting of the columns
  std::optional<std::string> average{};  // key of the setting over whose values scores are averaged
  bool full_values = false;              // of paths: with the folders that all of them share
};

struct PivotRow {
  std::vector<std::string> labels{};  // a value for each key of `by`; else the name of the group
  std::vector<RunGroup> cells{};      // may have no runs
  std::string name() const;           // "additive, 512"
  std::vector<RunSummary> runs() const;
};

// Figures of a row that stand side by side. They are of one cell, or averages over several.
struct PivotColumn {
  std::string value{};  // of `across`; "": there is none
  bool is_average = false;
  std::vector<size_t> cells{};
};

struct Pivot {
  PivotRequest request{};
  std::vector<PivotRow> rows{};
  std::vector<PivotColumn> columns{};
  std::vector<std::string> averaged{};    // values of `average`
  std::vector<std::string> cell_names{};  // "", "de", "de, small"
};

// Divides the runs into cells; rows and columns are sorted by their values. groups: used for the
// rows if the request has no `by`. Warns of cells whose runs differ by other settings than the seed,
// and of runs of a cell that are in training or have the same seed.
Pivot make_pivot(const std::vector<RunGroup>& groups, const PivotRequest& request);

// The scores of a row in a column.
struct CellScores {
  std::optional<Spread> score{};  // over seeds
  std::optional<double> lowest{}, highest{};
  std::vector<double> by_seed{};  // in the order of the seeds
  size_t values = 0;              // of an average: how many it has; 0 for a cell
};

// The mean over the seeds of the counted runs of a cell. An average is the mean, over the values of
// `average`, of these means. It has a deviation, and lowest and highest scores, only if all values
// have the same seeds, each once: those of the average of each seed.
CellScores cell_scores(const Pivot& pivot, const PivotRow& row, const PivotColumn& column,
                       const RunScore& score);
// True for an average that lacks values.
bool is_partial(const Pivot& pivot, const PivotColumn& column, const CellScores& figure);

// The runs that count in a figure: those with the score.
std::vector<RunSummary> scored_runs(const RunGroup& cell, const RunScore& score);

// Warns of runs without the score, of values that an average lacks, and of averages whose deviation
// cannot be given.
void warn_of_figures(const Pivot& pivot, const RunScore& score);

// Sorts the rows. Score: by the first score of the last column, best first.
void sort_rows(Pivot& pivot, const RunScore& score, RunOrder order);

}  // namespace heed
