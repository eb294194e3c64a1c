#include "results/run_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/columns.h"
#include "base/error.h"
#include "base/json_text.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace heed {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kWidestName = 36, kWidestValue = 24;  // terminal columns

TextColumn column(const RunTable& table, const std::string& name, bool right,
                  const std::function<std::string(const RunGroup&)>& cell) {
  TextColumn result{{name}, right};
  for (const RunGroup& row : table.rows) result.cells.push_back(cell(row));
  return result;
}

TextColumn score_column(const RunTable& table) {
  const std::string metric = common_metric(table);
  const auto score = [](const RunGroup& row) { return score_text(best_of(row), metric_of(row)); };
  if (!metric.empty()) return column(table, "best " + metric, true, score);
  return column(table, "best", true, [&score](const RunGroup& row) {
    return best_of(row) ? metric_of(row) + " " + score(row) : kNoValue;
  });
}

// The last columns of the text, in code points.
std::string cut_left(const std::string& text, size_t width) {
  if (display_width(text) <= width) return text;
  const auto points = code_points(text);
  std::string kept;
  for (auto point = points.rbegin(); point != points.rend(); ++point) {
    if (display_width(kept) + display_width(*point) + 1 > width) break;
    kept.insert(0, *point);
  }
  return "…" + kept;
}

std::vector<TextColumn> columns_of(const RunTable& table) {
  std::vector<TextColumn> columns{column(table, "run", false, [](const RunGroup& row) {
    return cut_left(printable(row.name), kWidestName);
  })};
  if (table.grouped)
    columns.push_back(column(table, "runs", true, [](const RunGroup& row) {
      return format_count(std::ssize(row.runs));
    }));
  columns.push_back(column(table, "state", false, state_of));
  columns.push_back(column(table, "updates", true, [](const RunGroup& row) {
    return count_text(number_of(row, updates_of));
  }));
  columns.push_back(column(table, "time", true, time_text));
  columns.push_back(score_column(table));
  columns.push_back(column(table, "at update", true, [](const RunGroup& row) {
    return count_text(number_of(row, best_update_of));
  }));
  for (const TestName& test : test_names(table)) {
    const std::string name = printable(test.set) + " " + test.metric;
    columns.push_back(column(table, cut_left(name, kWidestValue), true, [&](const RunGroup& row) {
      return score_text(test_of(row, test), test.metric);
    }));
  }
  const auto keys = differing_settings(table);
  const auto names = short_keys(keys);
  for (size_t i = 0; i < keys.size(); ++i)
    columns.push_back(column(table, names[i], false, [&](const RunGroup& row) {
      return cut_to_width(printable(setting_text(row, keys[i])), kWidestValue);
    }));
  return columns;
}

using Record = std::vector<std::string>;

// With the deviation behind it in a table of groups.
void add_score(Record& record, const std::optional<Spread>& score, bool grouped) {
  record.push_back(field_of(score ? std::optional(score->mean) : std::nullopt));
  if (grouped) record.push_back(field_of(score ? score->deviation : std::nullopt));
}

void add_mean(Record& record, const RunGroup& row, RunNumber number) {
  add_score(record, number_of(row, number), /*grouped=*/false);
}

void add_score_name(Record& record, const std::string& name, bool grouped) {
  record.push_back(name);
  if (grouped) record.push_back(name + "_deviation");
}

Record names_of_fields(const RunTable& table) {
  Record names{"run"};
  if (table.grouped) names.emplace_back("runs");
  for (const char* name : {"state", "updates", "seconds", "metric"}) names.emplace_back(name);
  add_score_name(names, "best", table.grouped);
  names.emplace_back("best_update");
  for (const TestName& test : test_names(table))
    add_score_name(names, fmt::format("test.{}.{}", test.set, test.metric), table.grouped);
  std::ranges::copy(differing_settings(table), std::back_inserter(names));
  return names;
}

Record record_of(const RunGroup& row, const RunTable& table, const std::vector<TestName>& tests,
                 const std::vector<std::string>& keys) {
  Record record{row.name};
  if (table.grouped) record.push_back(fmt::format("{}", row.runs.size()));
  record.push_back(state_of(row));
  add_mean(record, row, updates_of);
  add_mean(record, row, seconds_of);
  record.push_back(metric_of(row));
  add_score(record, best_of(row), table.grouped);
  add_mean(record, row, best_update_of);
  for (const TestName& test : tests) add_score(record, test_of(row, test), table.grouped);
  for (const std::string& key : keys) record.push_back(setting_text(row, key));
  return record;
}

Json number_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

// Whole numbers as such.
Json mean_json(const RunGroup& row, RunNumber number) {
  const auto spread = number_of(row, number);
  if (!spread) return {};
  const bool is_whole = spread->mean == std::floor(spread->mean);
  return is_whole ? Json(std::llround(spread->mean)) : Json(spread->mean);
}

void add_score(Json& object, const std::string& name, const std::optional<Spread>& score,
               const RunTable& table) {
  object[name] = number_json(score ? std::optional(score->mean) : std::nullopt);
  if (table.grouped)
    object[name + "_deviation"] = number_json(score ? score->deviation : std::nullopt);
}

Json value_json(const std::string& value) {
  const Json json = Json::parse(value == "~" ? "null" : value, nullptr, false);
  return json.is_discarded() ? Json(value) : json;
}

void add_members(Json& object, const RunGroup& row) {
  object["runs"] = Json::array();
  object["seeds"] = Json::array();
  for (const RunSummary& run : row.runs) {
    object["runs"].push_back(run.name);
    object["seeds"].push_back(value_json(setting_of(run.settings, "seed")));
  }
}

Json row_json(const RunGroup& row, const RunTable& table, const std::vector<TestName>& tests,
              const std::vector<std::string>& keys) {
  Json one{{"run", row.name}};
  if (table.grouped) add_members(one, row);
  one["state"] = state_of(row);
  one["updates"] = mean_json(row, updates_of);
  one["seconds"] = mean_json(row, seconds_of);
  one["metric"] = metric_of(row).empty() ? Json() : Json(metric_of(row));
  add_score(one, "best", best_of(row), table);
  one["best_update"] = mean_json(row, best_update_of);
  one["test"] = Json::object();
  for (const TestName& test : tests) {
    if (const auto score = test_of(row, test))
      add_score(one["test"][test.set], test.metric, score, table);
  }
  one["settings"] = Json::object();
  for (const std::string& key : keys)
    one["settings"][key] = value_json(setting_of(row.runs.front().settings, key));
  return one;
}

}  // namespace

std::string text_table(const RunTable& table, size_t width) {
  return column_blocks(columns_of(table), 1, width);
}

Records records_of(const RunTable& table) {
  const auto keys = differing_settings(table);
  const auto tests = test_names(table);
  Records records{names_of_fields(table)};
  for (const RunGroup& row : table.rows) records.push_back(record_of(row, table, tests, keys));
  return records;
}

std::string json_table(const RunTable& table) {
  const auto keys = differing_settings(table);
  const auto tests = test_names(table);
  Json list = Json::array();
  for (const RunGroup& row : table.rows) list.push_back(row_json(row, table, tests, keys));
  return json_text(list, 2) + "\n";
}

}  // namespace heed
