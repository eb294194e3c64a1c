#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_text.h"
#include "results/pivot_table.h"

namespace heed {

namespace {

using Json = nlohmann::ordered_json;
using Record = std::vector<std::string>;

Json figure_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

std::optional<double> mean_in(const std::optional<Spread>& spread) {
  return spread ? std::optional(spread->mean) : std::nullopt;
}

std::optional<double> deviation_in(const std::optional<Spread>& spread) {
  return spread ? spread->deviation : std::nullopt;
}

Record names_of(const std::vector<RunSummary>& runs) {
  Record names;
  for (const RunSummary& run : runs) names.push_back(run.name);
  return names;
}

Json score_json(const PivotTable& table, const PivotColumn& column, const CellScores& figure,
                const TestResult& test) {
  Json json{{"mean", figure_json(mean_in(figure.score))},
            {"deviation", figure_json(deviation_in(figure.score))},
            {"min", figure_json(figure.lowest)},
            {"max", figure_json(figure.highest)}};
  if (column.is_average) {
    json["values"] = figure.values;
    json["of"] = table.pivot.averaged.size();
  }
  if (!table.baseline) return json;
  json["p"] = figure_json(test.p);
  if (!test.reason.empty()) json["no_p"] = test.reason;
  return json;
}

Json cell_json(const PivotTable& table, const PivotColumn& column, const PivotFigures& figures) {
  Json json = Json::object();
  if (table.pivot.request.across) json["column"] = column.value;
  if (table.pivot.request.average) json["is_average"] = column.is_average;
  json["runs"] = names_of(figures.runs);
  json["parameters"] = figure_json(mean_in(figures.parameters));
  json["seconds"] = figure_json(mean_in(figures.seconds));
  for (size_t s = 0; s < table.scores.size(); ++s)
    json["scores"][table.scores[s].name] =
        score_json(table, column, figures.scores[s], figures.tests[s]);
  return json;
}

Json key_json(const std::optional<std::string>& key) { return key ? Json(*key) : Json(); }

Record names_of_fields(const PivotTable& table) {
  const PivotRequest& request = table.pivot.request;
  Record names = request.by.empty() ? Record{"run"} : request.by;
  if (request.across) names.push_back(*request.across);
  if (request.average) names.emplace_back("averaged");
  for (const char* name : {"count", "runs", "parameters", "seconds"}) names.emplace_back(name);
  for (const RunScore& score : table.scores) {
    for (const char* end : {"", "_deviation", "_min", "_max"}) names.push_back(score.name + end);
    if (table.baseline) names.push_back(score.name + "_p");
  }
  return names;
}

Record record_of(const PivotTable& table, size_t r, size_t c) {
  const PivotRequest& request = table.pivot.request;
  const PivotColumn& column = table.pivot.columns[c];
  const PivotFigures& figures = table.figures[r][c];
  Record record = table.pivot.rows[r].labels;
  if (request.across) record.push_back(column.value);
  if (request.average)
    record.push_back(column.is_average ? fmt::format("{}", figures.scores.front().values) : "");
  record.push_back(fmt::format("{}", figures.runs.size()));
  record.push_back(fmt::format("{}", fmt::join(names_of(figures.runs), " ")));
  record.push_back(field_of(mean_in(figures.parameters)));
  record.push_back(field_of(mean_in(figures.seconds)));
  for (size_t s = 0; s < table.scores.size(); ++s) {
    const CellScores& figure = figures.scores[s];
    for (const auto& value :
         {mean_in(figure.score), deviation_in(figure.score), figure.lowest, figure.highest})
      record.push_back(field_of(value));
    if (table.baseline) record.push_back(field_of(figures.tests[s].p));
  }
  return record;
}

}  // namespace

Records records_of(const PivotTable& table) {
  Records records{names_of_fields(table)};
  for (size_t r = 0; r < table.figures.size(); ++r) {
    for (size_t c = 0; c < table.figures[r].size(); ++c) records.push_back(record_of(table, r, c));
  }
  return records;
}

std::string json_table(const PivotTable& table) {
  const Pivot& pivot = table.pivot;
  Json json{{"by", pivot.request.by},
            {"across", key_json(pivot.request.across)},
            {"average", key_json(pivot.request.average)}};
  if (table.baseline) {
    json["baseline"] = pivot.rows[table.baseline->row].name();
    json["test"] = describe(table.baseline->test);
  }
  json["rows"] = Json::array();
  for (size_t r = 0; r < pivot.rows.size(); ++r) {
    Json row{{"name", pivot.rows[r].name()}, {"settings", Json::object()}};
    for (size_t i = 0; i < pivot.request.by.size(); ++i)
      row["settings"][pivot.request.by[i]] = pivot.rows[r].labels[i];
    for (size_t c = 0; c < pivot.columns.size(); ++c)
      row["cells"].push_back(cell_json(table, pivot.columns[c], table.figures[r][c]));
    json["rows"].push_back(std::move(row));
  }
  return json_text(json, 2) + "\n";
}

}  // namespace heed
