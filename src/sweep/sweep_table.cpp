#include "sweep/sweep_table.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/columns.h"
#include "base/error.h"
#include "base/folder.h"
#include "base/json_text.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/run_folder_names.h"
#include "config/print.h"
#include "results/cell_text.h"
#include "results/run_group.h"
#include "results/run_parameters.h"
#include "sweep/trained_run.h"

namespace heed {

namespace {

using Json = nlohmann::ordered_json;
using Figures = std::map<std::string, double>;

// Columns of every table, before the scores.
constexpr std::array kCounts{"parameters", "updates", "seconds"};

// Figures of the validation of the best checkpoint, or of the last one if none is the best.
void add_validation(const PlannedRun& run, const RunSummary& summary, Figures& figures) {
  if (!is_plain_file(run.folder / kRunMetrics)) return;
  std::optional<MetricLine> best;
  for (MetricLine& line : read_metrics(run.folder)) {
    if (line.kind == "validation" && (!summary.best || line.update == summary.best->update))
      best = std::move(line);
  }
  if (!best) return;
  for (const auto& [name, metric] : validation_metrics()) {
    const auto found = best->figures.find(name);
    if (found != best->figures.end() && std::isfinite(found->second))
      figures[std::string("validation.") + name] = found->second;
  }
}

// nullopt: the run has no checkpoint.
std::optional<double> known_parameters(const RunSummary& run) try {
  return static_cast<double>(parameters_of(run));
} catch (const Error&) {
  return std::nullopt;
}

Figures figures_of(const PlannedRun& run) {
  Figures figures;
  const std::vector<RunSummary> found = list_runs({run.folder.string()});
  const RunSummary& summary = found.front();
  figures["updates"] = static_cast<double>(summary.updates);
  if (summary.seconds) figures["seconds"] = *summary.seconds;
  if (const auto count = known_parameters(summary)) figures["parameters"] = *count;
  add_validation(run, summary, figures);
  for (const TestScore& test : summary.tests)
    figures[fmt::format("test.{}.{}", test.set, test.metric)] = test.value;
  return figures;
}

SweepFigure figure_of(const std::vector<double>& values) {
  const Spread spread = *spread_of(values);
  const auto [minimum, maximum] = std::ranges::minmax(values);
  return {spread.mean, spread.deviation, minimum, maximum};
}

bool has_run(const PlannedRun& run) {
  return is_plain_file(run.folder / kRunMetrics) || is_there(run.folder / kRunCheckpoints);
}

class RowMaker {
 public:
  RowMaker(const SweepPlan& plan, const SweepResults& results) : plan_(plan), results_(results) {}

  SweepRow row(size_t setting) const {
    SweepRow row = empty_row(setting);
    std::map<std::string, int64_t> states;
    std::map<std::string, std::vector<double>> values;
    for (const PlannedRun* run : plan_.runs_of(setting)) {
      const std::string state = state_of(*run);
      ++states[state];
      const auto failure = results_.failures.find(run->name);
      if (failure != results_.failures.end()) {
        row.failures[run->seed] = failure->second;
      } else if (has_run(*run)) {
        row.seeds.push_back(run->seed);
        for (const auto& [name, value] : figures_of(*run)) values[name].push_back(value);
      }
    }
    for (const auto& [name, list] : values) row.figures[name] = figure_of(list);
    row.state = text_of(states);
    return row;
  }

  SweepRow row_of_ensemble(size_t setting) const {
    SweepRow row = empty_row(setting);
    const EnsembleResult& result = results_.ensembles.at(setting);
    row.name += " (ensemble)";
    row.state = result.failure.empty() ? kFinished : "failed";
    if (!result.failure.empty()) {
      row.failures["ensemble"] = result.failure;
      return row;
    }
    Figures figures = result.scores;
    for (const PlannedRun* run : plan_.runs_of(setting)) {
      row.seeds.push_back(run->seed);
      const RunSummary summary = list_runs({run->folder.string()}).front();
      if (const auto count = known_parameters(summary)) figures["parameters"] += *count;
    }
    for (const auto& [name, value] : figures) row.figures[name] = figure_of(std::vector{value});
    return row;
  }

 private:
  SweepRow empty_row(size_t setting) const {
    SweepRow row{.name = plan_.settings[setting].name};
    for (const SettingChange& change : plan_.settings[setting].changes)
      row.changes.emplace_back(change.key, print_inline(change.value));
    return row;
  }

  std::string state_of(const PlannedRun& run) const {
    if (results_.failures.contains(run.name)) return "failed";
    const auto stopped = results_.stopped.find(run.setting);
    if (stopped != results_.stopped.end()) return fmt::format("stopped at {}", stopped->second);
    return look_at_run(run).is_done(std::nullopt) ? kFinished : "not finished";
  }

  static std::string text_of(const std::map<std::string, int64_t>& states) {
    if (states.size() == 1) return states.begin()->first;
    std::vector<std::string> texts;
    for (const auto& [state, count] : states) texts.push_back(fmt::format("{} {}", state, count));
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  const SweepPlan& plan_;
  const SweepResults& results_;
};

// Validation metrics in their usual order, then test scores in the order of the rows.
std::vector<std::string> score_names(const std::vector<SweepRow>& rows) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    const bool any =
        std::ranges::any_of(rows, [&](const SweepRow& row) { return row.figures.contains(name); });
    if (any && std::ranges::count(names, name) == 0) names.push_back(name);
  };
  for (const auto& [metric, unused] : validation_metrics())
    add(std::string("validation.") + metric);
  for (const SweepRow& row : rows) {
    for (const auto& [name, unused] : row.figures) {
      if (name.starts_with("test.")) add(name);
    }
  }
  return names;
}

void sort_rows(const SweepPlan& plan, std::vector<SweepRow>& rows) {
  const ValidationMetric& metric = plan.runs.front().config.train.validation.metric;
  const auto is_other = [&](const PlannedRun& run) {
    return !(run.config.train.validation.metric == metric);
  };
  if (std::ranges::any_of(plan.runs, is_other)) return;
  std::ranges::stable_sort(rows, {}, [&](const SweepRow& row) {
    const auto score = row.figures.find("validation." + metric.name);
    if (score == row.figures.end()) return std::pair(true, 0.0);
    return std::pair(false, metric.higher_is_better ? -score->second.mean : score->second.mean);
  });
}

bool is_student_of_stopped(const SweepPlan& plan, const SweepResults& results, size_t setting) {
  const auto teacher = plan.settings[setting].teacher;
  return teacher &&
         (results.stopped.contains(*teacher) || is_student_of_stopped(plan, results, *teacher));
}

// Keys that settings change, in the order of the rows.
std::vector<std::string> keys_of(const SweepTable& table) {
  std::vector<std::string> keys;
  for (const SweepRow& row : table.rows) {
    for (const auto& [key, unused] : row.changes) {
      if (std::ranges::count(keys, key) == 0) keys.push_back(key);
    }
  }
  return keys;
}

// "": the setting leaves the key as it is.
std::string value_of(const SweepRow& row, const std::string& key) {
  for (const auto& [own, value] : row.changes) {
    if (own == key) return value;
  }
  return "";
}

std::string failures_text(const SweepRow& row) {
  std::vector<std::string> texts;
  for (const auto& [seed, reason] : row.failures)
    texts.push_back(fmt::format("{}: {}", seed, reason));
  return fmt::format("{}", fmt::join(texts, "; "));
}

const SweepFigure* figure_of(const SweepRow& row, const std::string& name) {
  const auto found = row.figures.find(name);
  return found == row.figures.end() ? nullptr : &found->second;
}

// ---- text

constexpr const char* kNone = "-";

std::string count_text(const SweepRow& row, const std::string& name) {
  const SweepFigure* figure = figure_of(row, name);
  if (figure == nullptr) return kNone;
  return name == "seconds" ? format_duration(figure->mean)
                           : format_count(std::llround(figure->mean));
}

// "32.10 ± 0.42 (31.70–32.60)"
std::string score_text(const SweepRow& row, const std::string& name) {
  const SweepFigure* figure = figure_of(row, name);
  if (figure == nullptr) return kNone;
  const int digits = name.ends_with(".loss") || name.ends_with(".accuracy") ? 4 : 2;
  if (!figure->deviation) return fmt::format("{:.{}f}", figure->mean, digits);
  return fmt::format("{0:.{4}f} ± {1:.{4}f} ({2:.{4}f}–{3:.{4}f})", figure->mean,
                     *figure->deviation, figure->minimum, figure->maximum, digits);
}

std::vector<TextColumn> columns_of(const SweepTable& table) {
  std::vector<TextColumn> columns;
  const auto add = [&](const std::string& name, bool right, const auto& cell) {
    TextColumn& column = columns.emplace_back(TextColumn{{name}, right});
    for (const SweepRow& row : table.rows) column.cells.push_back(cell(row));
  };
  add("setting", false, [](const SweepRow& row) { return row.name; });
  add("state", false, [](const SweepRow& row) { return row.state; });
  add("seeds", true, [](const SweepRow& row) { return std::to_string(row.seeds.size()); });
  for (const std::string name : kCounts)
    add(name == "seconds" ? "time" : name, true,
        [&](const SweepRow& row) { return count_text(row, name); });
  for (const std::string& name : table.scores)
    add(name, true, [&](const SweepRow& row) { return score_text(row, name); });
  return columns;
}

// ---- TSV and JSON

std::vector<std::string> fields_of(const SweepFigure* figure) {
  if (figure == nullptr) return std::vector<std::string>(4);
  return {field_of(figure->mean), field_of(figure->deviation), field_of(figure->minimum),
          field_of(figure->maximum)};
}

// Whole numbers as such.
Json number_json(double value) {
  return value == std::floor(value) ? Json(std::llround(value)) : Json(value);
}

// A number as such, a map or a list as the text that --set takes.
Json value_json(const std::string& value) {
  const Json json = Json::parse(value, nullptr, /*allow_exceptions=*/false);
  return json.is_primitive() && !json.is_null() ? json : Json(value);
}

Json json_of(const SweepFigure& figure) {
  return {{"mean", figure.mean},
          {"deviation", figure.deviation ? Json(*figure.deviation) : Json()},
          {"minimum", figure.minimum},
          {"maximum", figure.maximum}};
}

Json row_json(const SweepRow& row, const SweepTable& table) {
  Json one{{"setting", row.name}, {"state", row.state}, {"seeds", row.seeds}};
  one["settings"] = Json::object();
  for (const auto& [key, value] : row.changes) one["settings"][key] = value_json(value);
  for (const char* name : kCounts) {
    const SweepFigure* figure = figure_of(row, name);
    one[name] = figure != nullptr ? number_json(figure->mean) : Json();
  }
  one["scores"] = Json::object();
  for (const std::string& name : table.scores) {
    if (const SweepFigure* figure = figure_of(row, name)) one["scores"][name] = json_of(*figure);
  }
  one["failures"] = row.failures;
  return one;
}

}  // namespace

SweepTable make_table(const SweepPlan& plan, const SweepResults& results) {
  const RowMaker maker(plan, results);
  SweepTable table;
  for (size_t i = 0; i < plan.settings.size(); ++i) {
    if (!is_student_of_stopped(plan, results, i)) table.rows.push_back(maker.row(i));
    if (results.ensembles.contains(i)) table.rows.push_back(maker.row_of_ensemble(i));
  }
  sort_rows(plan, table.rows);
  table.scores = score_names(table.rows);
  return table;
}

std::string text_table(const SweepTable& table, size_t width) {
  std::string text = column_blocks(columns_of(table), /*fixed=*/1, width);
  for (const SweepRow& row : table.rows) {
    if (!row.failures.empty())
      text += fmt::format("{}: {}\n", printable(row.name), printable(failures_text(row)));
  }
  return text;
}

std::string tsv_table(const SweepTable& table) {
  const std::vector<std::string> keys = keys_of(table);
  std::vector<std::string> names{"setting", "state", "seeds"};
  names.insert(names.end(), kCounts.begin(), kCounts.end());
  for (const std::string& name : table.scores) {
    for (const char* part : {"", "_deviation", "_minimum", "_maximum"})
      names.push_back(name + part);
  }
  names.insert(names.end(), keys.begin(), keys.end());
  names.emplace_back("failures");
  Records records{std::move(names)};
  for (const SweepRow& row : table.rows) {
    std::vector<std::string> record{row.name, row.state, std::to_string(row.seeds.size())};
    for (const char* name : kCounts) record.push_back(fields_of(figure_of(row, name)).front());
    for (const std::string& name : table.scores)
      std::ranges::copy(fields_of(figure_of(row, name)), std::back_inserter(record));
    for (const std::string& key : keys) record.push_back(value_of(row, key));
    record.push_back(failures_text(row));
    records.push_back(std::move(record));
  }
  return tsv_text(records);
}

std::string json_table(const SweepTable& table) {
  Json list = Json::array();
  for (const SweepRow& row : table.rows) list.push_back(row_json(row, table));
  return json_text(list, 2) + "\n";
}

}  // namespace heed
