// A pivot of runs with all its figures, and its print.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/baseline.h"
#include "results/cell_text.h"
#include "results/paper_table.h"
#include "results/pivot.h"

namespace heed {

enum class CellNumber { kMean, kMin, kMax, kRuns, kParameters, kSeconds };

struct Baseline {
  size_t row = 0;
  BaselineTest test{};
};

// Figures of a row in a column.
struct PivotFigures {
  std::vector<RunSummary> runs{};  // that have the first score
  std::optional<Spread> parameters{}, seconds{};
  std::vector<CellScores> scores{};  // in the order of PivotTable::scores
  std::vector<TestResult> tests{};
};

struct PivotTable {
  Pivot pivot{};
  std::vector<RunScore> scores{};
  std::optional<Baseline> baseline{};
  std::vector<std::vector<PivotFigures>> figures{};  // [row][column]
};

// Reading of the numbers of parameters from the models.
enum class ParameterCounts { kLeftOut, kWhereKnown, kNeeded };

// Computes all figures. Warns as warn_of_figures(), of every p that is not given, with the reason,
// and of numbers of parameters that are needed and cannot be read. Throws as test_against().
PivotTable make_pivot_table(Pivot pivot, std::vector<RunScore> scores,
                            const std::optional<Baseline>& baseline, ParameterCounts parameters);

struct PivotStyle {
  std::vector<CellNumber> shown{};
  std::optional<int> decimals{};  // of scores; unset: by their metrics
  bool for_paper = false;         // fewer decimals, and numbers of parameters in millions
  bool bold = true;               // for the best score of a column
};

PaperTable paper_table(const PivotTable& table, const PivotStyle& style);
// A record for each row and column below a record of names, with every figure in full precision.
Records records_of(const PivotTable& table);
std::string json_table(const PivotTable& table);

// Number of columns of a paper table that name its rows.
size_t row_headings(const Pivot& pivot);

}  // namespace heed
