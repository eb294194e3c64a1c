#include "results/pivot.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/log.h"
#include "results/setting_values.h"

namespace heed {

namespace {

using Values = std::vector<std::string>;

// Different values, sorted.
Values different(Values values) {
  std::ranges::sort(values, is_before);
  values.erase(std::ranges::unique(values).begin(), values.end());
  return values;
}

// The setting of each run, or "" without a key.
Values values_in(const std::vector<RunSummary>& runs, const std::optional<std::string>& key,
                 const PivotRequest& request) {
  if (!key) return Values(runs.size());
  const Values values = values_of(runs, *key);
  return request.full_values ? values : short_values(values);
}

size_t index_in(const Values& values, const std::string& value) {
  return static_cast<size_t>(std::ranges::find(values, value) - values.begin());
}

// Labels of the row of each run.
std::vector<Values> labels_of(const std::vector<RunSummary>& runs, const PivotRequest& request) {
  std::vector<Values> labels(runs.size());
  for (const std::string& key : request.by) {
    const Values values = values_in(runs, key, request);
    for (size_t i = 0; i < runs.size(); ++i) labels[i].push_back(values[i]);
  }
  return labels;
}

bool comes_before(const PivotRow& one, const PivotRow& other) {
  const auto [a, b] = std::ranges::mismatch(one.labels, other.labels);
  return a != one.labels.end() && b != other.labels.end() && is_before(*a, *b);
}

void name_cells(Pivot& pivot) {
  for (PivotRow& row : pivot.rows) {
    for (size_t i = 0; i < row.cells.size(); ++i) {
      const std::string& column = pivot.cell_names[i];
      row.cells[i].name = column.empty() ? row.name() : row.name() + ", " + column;
    }
  }
}

bool is_in(const std::string& key, const std::string& section) {
  return key == section || key.starts_with(section + ".");
}

// Settings that differ within a cell, without those of rows and columns.
Values unexpected_settings(const RunGroup& cell, const PivotRequest& request) {
  std::map<std::string, std::set<std::string>> values;
  for (const RunSummary& run : cell.runs) {
    for (const auto& [key, value] : run.settings) values[key].insert(value);
  }
  const auto is_known = [&](const std::string& key) {
    const auto holds_key = [&](const std::optional<std::string>& section) {
      return section && is_in(key, *section);
    };
    return key == "seed" || key == "run" || holds_key(request.across) ||
           holds_key(request.average) || std::ranges::any_of(request.by, [&](const auto& section) {
             return is_in(key, section);
           });
  };
  Values keys;
  for (const auto& [key, all] : values) {
    const bool in_all = std::ranges::all_of(cell.runs, [&](const RunSummary& run) {
      return std::ranges::count(run.settings, key, &RunSettingValues::value_type::first) > 0;
    });
    if (!is_known(key) && (all.size() > 1 || !in_all)) keys.push_back(key);
  }
  return keys;
}

void warn_of_merged_settings(const Pivot& pivot) {
  std::map<Values, Values> cells;  // names by the settings that differ in them
  for (const PivotRow& row : pivot.rows) {
    for (const RunGroup& cell : row.cells) {
      if (const Values keys = unexpected_settings(cell, pivot.request); !keys.empty())
        cells[keys].push_back(cell.name);
    }
  }
  for (const auto& [keys, names] : cells)
    spdlog::warn(
        "{}: the runs of one mean differ by more than their seed, by {}; add these settings to "
        "--by, or name fewer runs",
        fmt::join(names, "; "), fmt::join(keys, ", "));
}

// The only score of each seed; nullopt: two runs have the same seed.
using ScoreBySeed = std::map<std::string, double>;
std::optional<ScoreBySeed> scores_by_seed(const RunGroup& cell, const RunScore& score) {
  ScoreBySeed scores;
  for (const RunSummary& run : scored_runs(cell, score)) {
    if (!scores.emplace(setting_of(run.settings, "seed"), *score.of(run)).second)
      return std::nullopt;
  }
  return scores;
}

// The macro-average of each seed; empty if the cells have different seeds.
std::vector<double> averages_by_seed(const std::vector<const RunGroup*>& cells,
                                     const RunScore& score) {
  std::map<std::string, double> sums;
  for (const RunGroup* cell : cells) {
    const auto scores = scores_by_seed(*cell, score);
    const auto has_seed = [&](const auto& one) { return scores->contains(one.first); };
    if (!scores) return {};
    if (cell != cells.front() &&
        (scores->size() != sums.size() || !std::ranges::all_of(sums, has_seed)))
      return {};
    for (const auto& [seed, value] : *scores) sums[seed] += value;
  }
  std::vector<double> averages;
  for (const auto& sum : sums) averages.push_back(sum.second / static_cast<double>(cells.size()));
  return averages;
}

std::vector<double> scores_of(const RunGroup& cell, const RunScore& score) {
  std::vector<double> values;
  for (const RunSummary& run : scored_runs(cell, score)) values.push_back(*score.of(run));
  return values;
}

void set_range(CellScores& figure) {
  if (figure.by_seed.empty()) return;
  const auto [lowest, highest] = std::ranges::minmax(figure.by_seed);
  figure.lowest = lowest;
  figure.highest = highest;
}

std::vector<const RunGroup*> scored_cells(const PivotRow& row, const PivotColumn& column,
                                          const RunScore& score) {
  std::vector<const RunGroup*> cells;
  for (const size_t i : column.cells) {
    if (!scored_runs(row.cells[i], score).empty()) cells.push_back(&row.cells[i]);
  }
  return cells;
}

CellScores average_of(const PivotRow& row, const PivotColumn& column, const RunScore& score) {
  const auto cells = scored_cells(row, column, score);
  std::vector<double> means;
  for (const RunGroup* cell : cells) means.push_back(spread_of(scores_of(*cell, score))->mean);
  const auto mean = spread_of(means);
  CellScores figure{.by_seed = averages_by_seed(cells, score), .values = cells.size()};
  if (mean) figure.score = Spread{mean->mean};
  if (const auto seeds = spread_of(figure.by_seed)) figure.score->deviation = seeds->deviation;
  set_range(figure);
  return figure;
}

void warn_of_average(const Pivot& pivot, const PivotRow& row, const PivotColumn& column,
                     const RunScore& score) {
  const CellScores figure = cell_scores(pivot, row, column, score);
  const std::string name = column.value.empty() ? row.name() : row.name() + ", " + column.value;
  if (is_partial(pivot, column, figure)) {
    Values lacking;
    for (size_t i = 0; i < column.cells.size(); ++i) {
      if (scored_runs(row.cells[column.cells[i]], score).empty())
        lacking.push_back(pivot.averaged[i]);
    }
    spdlog::warn("{}: the average of {} is of {} of {} values of {}, without {}", name, score.name,
                 figure.values, column.cells.size(), *pivot.request.average,
                 fmt::join(lacking, ", "));
  }
  if (figure.values > 0 && figure.by_seed.empty())
    spdlog::warn(
        "{}: the average of {} has no deviation, for the values of {} have different seeds, or one "
        "seed twice",
        name, score.name, *pivot.request.average);
}

}  // namespace

std::string PivotRow::name() const { return fmt::format("{}", fmt::join(labels, ", ")); }

std::vector<RunSummary> PivotRow::runs() const {
  std::vector<RunSummary> all;
  for (const RunGroup& cell : cells) std::ranges::copy(cell.runs, std::back_inserter(all));
  return all;
}

Pivot make_pivot(const std::vector<RunGroup>& groups, const PivotRequest& request) {
  std::vector<RunSummary> runs;
  std::vector<Values> labels;
  for (const RunGroup& group : groups) {
    for (const RunSummary& run : group.runs) {
      runs.push_back(run);
      labels.push_back({group.name});
    }
  }
  if (!request.by.empty()) labels = labels_of(runs, request);
  const Values across = values_in(runs, request.across, request);
  const bool is_one = request.average && request.average == request.across;
  const Values average = values_in(runs, is_one ? std::nullopt : request.average, request);
  const Values columns = different(across), averaged = different(average);

  Pivot pivot{.request = request, .averaged = is_one ? columns : averaged};
  for (size_t a = 0; a < columns.size(); ++a) {
    PivotColumn& column = pivot.columns.emplace_back();
    column.value = columns[a];
    column.is_average = request.average && !is_one;
    for (size_t v = 0; v < averaged.size(); ++v) {
      column.cells.push_back(a * averaged.size() + v);
      const bool both = !columns[a].empty() && !averaged[v].empty();
      pivot.cell_names.push_back(columns[a] + (both ? ", " : "") + averaged[v]);
    }
  }
  if (is_one) {
    PivotColumn all{.value = "average", .is_average = true};
    for (size_t i = 0; i < columns.size(); ++i) all.cells.push_back(i);
    pivot.columns.push_back(std::move(all));
  }

  std::map<Values, size_t> rows;
  for (size_t i = 0; i < runs.size(); ++i) {
    const auto [row, is_new] = rows.emplace(labels[i], pivot.rows.size());
    if (is_new)
      pivot.rows.push_back({labels[i], std::vector<RunGroup>(columns.size() * averaged.size())});
    const size_t cell =
        index_in(columns, across[i]) * averaged.size() + index_in(averaged, average[i]);
    pivot.rows[row->second].cells[cell].runs.push_back(runs[i]);
  }
  std::ranges::stable_sort(pivot.rows, comes_before);
  name_cells(pivot);
  warn_of_merged_settings(pivot);
  if (request.by.empty()) return pivot;  // the groups have their warnings already
  for (const PivotRow& row : pivot.rows) {
    for (const RunGroup& cell : row.cells) {
      warn_of_running(cell);
      // Runs that differ otherwise, too, have the same seed for a reason.
      if (unexpected_settings(cell, request).empty()) warn_of_same_seeds(cell);
    }
  }
  return pivot;
}

std::vector<RunSummary> scored_runs(const RunGroup& cell, const RunScore& score) {
  std::vector<RunSummary> runs;
  for (RunSummary& run : counted_runs(cell)) {
    if (score.of(run)) runs.push_back(std::move(run));
  }
  return runs;
}

CellScores cell_scores(const Pivot& pivot, const PivotRow& row, const PivotColumn& column,
                       const RunScore& score) {
  if (column.is_average) return average_of(row, column, score);
  CellScores figure{.by_seed = scores_of(row.cells[column.cells.front()], score)};
  figure.score = spread_of(figure.by_seed);
  set_range(figure);
  return figure;
}

bool is_partial(const Pivot& pivot, const PivotColumn& column, const CellScores& figure) {
  return column.is_average && figure.values > 0 && figure.values < pivot.averaged.size();
}

void warn_of_figures(const Pivot& pivot, const RunScore& score) {
  for (const PivotRow& row : pivot.rows) {
    for (const RunGroup& cell : row.cells) {
      const size_t scored = scored_runs(cell, score).size();
      if (scored == 0 || scored == counted_runs(cell).size()) continue;
      Values without;
      for (const RunSummary& run : counted_runs(cell)) {
        if (!score.of(run)) without.push_back(run.name);
      }
      spdlog::warn("{}: the mean of {} is without {}, which has no such score", cell.name,
                   score.name, fmt::join(without, ", "));
    }
    for (const PivotColumn& column : pivot.columns) {
      if (column.is_average) warn_of_average(pivot, row, column, score);
    }
  }
}

void sort_rows(Pivot& pivot, const RunScore& score, RunOrder order) {
  if (order == RunOrder::kName) return;
  const auto mean_of = [](const PivotRow& row, double (*value)(const RunSummary&)) {
    std::vector<double> values;
    for (const RunSummary& run : row.runs()) values.push_back(value(run));
    return spread_of(values)->mean;
  };
  const auto rank = [&](const PivotRow& row) {
    if (order == RunOrder::kUpdates)
      return -mean_of(row, [](const RunSummary& run) { return static_cast<double>(run.updates); });
    if (order == RunOrder::kTime)
      return -mean_of(row, [](const RunSummary& run) { return run.seconds.value_or(-1); });
    const auto mean = cell_scores(pivot, row, pivot.columns.back(), score).score;
    if (!mean) return std::numeric_limits<double>::infinity();
    return higher_is_better(score.metric) ? -mean->mean : mean->mean;
  };
  std::ranges::stable_sort(pivot.rows, {}, rank);
}

}  // namespace heed
