#include "results/pivot_table.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "results/run_columns.h"
#include "results/run_parameters.h"

namespace heed {

namespace {

template <class Value>
std::optional<Spread> mean_of(const std::vector<RunSummary>& runs, Value value) {
  std::vector<double> values;
  for (const RunSummary& run : runs) {
    if (const auto one = value(run)) values.push_back(static_cast<double>(*one));
  }
  return spread_of(values);
}

// Numbers of parameters by the name of the run.
using Parameters = std::map<std::string, int64_t>;

Parameters read_parameters(const Pivot& pivot, ParameterCounts counts) {
  Parameters parameters;
  if (counts == ParameterCounts::kLeftOut) return parameters;
  for (const PivotRow& row : pivot.rows) {
    for (const RunSummary& run : row.runs()) {
      try {
        parameters[run.name] = parameters_of(run);
      } catch (const Error& error) {
        if (counts == ParameterCounts::kNeeded)
          spdlog::warn("{}: its number of parameters cannot be read: {}", run.name, error.what());
      }
    }
  }
  return parameters;
}

PivotFigures figures_of(const PivotTable& table, const PivotRow& row, const PivotColumn& column,
                        const Parameters& parameters) {
  PivotFigures figures;
  for (const size_t cell : column.cells)
    std::ranges::copy(scored_runs(row.cells[cell], table.scores.front()),
                      std::back_inserter(figures.runs));
  figures.seconds = mean_of(figures.runs, seconds_of);
  figures.parameters = mean_of(figures.runs, [&](const RunSummary& run) {
    const auto count = parameters.find(run.name);
    return count == parameters.end() ? std::nullopt : std::optional(count->second);
  });
  for (const RunScore& score : table.scores) {
    figures.scores.push_back(cell_scores(table.pivot, row, column, score));
    const bool is_tested = table.baseline && &row != &table.pivot.rows[table.baseline->row] &&
                           figures.scores.back().score;
    figures.tests.push_back(is_tested
                                ? test_against(table.pivot, table.pivot.rows[table.baseline->row],
                                               row, column, score, table.baseline->test)
                                : TestResult{});
  }
  return figures;
}

std::string cell_name(const PivotRow& row, const PivotColumn& column) {
  return column.value.empty() ? row.name() : row.name() + ", " + column.value;
}

void warn_of_tests(const PivotTable& table) {
  std::map<std::string, std::set<std::string>> names;  // of cells, by reason
  for (size_t r = 0; r < table.figures.size(); ++r) {
    for (size_t c = 0; c < table.figures[r].size(); ++c) {
      for (const TestResult& test : table.figures[r][c].tests) {
        if (!test.reason.empty())
          names[test.reason].insert(cell_name(table.pivot.rows[r], table.pivot.columns[c]));
      }
    }
  }
  if (table.baseline && table.pivot.rows.size() == 1)
    spdlog::warn("--baseline: the table has no other row");
  for (const auto& [reason, cells] : names)
    spdlog::warn("no p for {}: {}", fmt::join(cells, "; "), reason);
}

}  // namespace

PivotTable make_pivot_table(Pivot pivot, std::vector<RunScore> scores,
                            const std::optional<Baseline>& baseline, ParameterCounts counts) {
  PivotTable table{.pivot = std::move(pivot), .scores = std::move(scores), .baseline = baseline};
  const Parameters parameters = read_parameters(table.pivot, counts);
  for (const RunScore& score : table.scores) warn_of_figures(table.pivot, score);
  for (const PivotRow& row : table.pivot.rows) {
    std::vector<PivotFigures>& figures = table.figures.emplace_back();
    for (const PivotColumn& column : table.pivot.columns)
      figures.push_back(figures_of(table, row, column, parameters));
  }
  warn_of_tests(table);
  return table;
}

}  // namespace heed
