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
constexpr const char* kNone = "-";

TextColumn column(const RunTable& table, const std::string& name, bool right,
                  const std::function<std::string(const RunGroup&)>& cell) {
  TextColumn result{{name}, right};
  for (const RunGroup& row : table.rows) result.cells.push_back(cell(row));
  return result;
}

std::string score_text(const std::optional<Spread>& score, const std::string& metric) {
  if (!score) return kNone;
  const int digits = metric == "loss" || metric == "accuracy" ? 4 : 2;
  std::string text = fmt::format("{:.{}f}", score->mean, digits);
  if (score->deviation) text += fmt::format(" ± {:.{}f}", *score->deviation, digits);
  return text;
}

std::string count_text(const std::optional<Spread>& count) {
  return count ? format_count(std::llround(count->mean)) : kNone;
}

// The metric of all; "" if there are several.
std::string common_metric(const RunTable& table) {
  std::string metric;
  for (const RunGroup& row : table.rows) {
    if (!best_of(row) || metric_of(row) == metric) continue;
    if (!metric.empty()) return "";
    metric = metric_of(row);
  }
  return metric;
}

TextColumn score_column(const RunTable& table) {
  const std::string metric = common_metric(table);
  const auto score = [](const RunGroup& row) { return score_text(best_of(row), metric_of(row)); };
  if (!metric.empty()) return column(table, "best " + metric, true, score);
  return column(table, "best", true, [&score](const RunGroup& row) {
    return best_of(row) ? metric_of(row) + " " + score(row) : kNone;
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

// Value of all runs of the row.
std::string setting_text(const RunGroup& row, const std::string& key) {
  const std::string value = setting_of(row.runs.front().settings, key);
  return printable(value);
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
  columns.push_back(column(table, "time", true, [](const RunGroup& row) {
    const auto seconds = number_of(row, seconds_of);
    return seconds ? format_duration(seconds->mean) : kNone;
  }));
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
      return cut_to_width(setting_text(row, keys[i]), kWidestValue);
    }));
  return columns;
}

std::string block(const std::vector<TextColumn>& columns) {
  std::string text;
  for (const std::string& line : align_columns(columns))
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  return text;
}

std::string number_text(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

// Behind a tab; with the deviation behind it in a table of groups.
std::string score_cells(const std::optional<Spread>& score, const RunTable& table) {
  std::string cells = "\t" + number_text(score ? std::optional(score->mean) : std::nullopt);
  if (table.grouped) cells += "\t" + number_text(score ? score->deviation : std::nullopt);
  return cells;
}

std::string mean_cell(const RunGroup& row, RunNumber number) {
  return score_cells(number_of(row, number), {});
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
  const std::vector<TextColumn> columns = columns_of(table);
  std::string text;
  for (size_t next = 1; next < columns.size();) {
    std::vector<TextColumn> beside{columns.front()};
    size_t used = columns.front().width();
    do {
      used += kColumnGap + columns[next].width();
      beside.push_back(columns[next++]);
    } while (next < columns.size() && used + kColumnGap + columns[next].width() <= width);
    text += (text.empty() ? "" : "\n") + block(beside);
  }
  return text;
}

std::string tsv_table(const RunTable& table) {
  const auto keys = differing_settings(table);
  const auto tests = test_names(table);
  const auto score_names = [&](const std::string& name) {
    return "\t" + name + (table.grouped ? "\t" + name + "_deviation" : "");
  };
  std::string text = fmt::format("run{}\tstate\tupdates\tseconds\tmetric{}\tbest_update",
                                 table.grouped ? "\truns" : "", score_names("best"));
  for (const TestName& test : tests)
    text += score_names(fmt::format("test.{}.{}", printable(test.set), test.metric));
  for (const std::string& key : keys) text += "\t" + printable(key);
  for (const RunGroup& row : table.rows) {
    text += "\n" + printable(row.name);
    if (table.grouped) text += fmt::format("\t{}", row.runs.size());
    text += "\t" + state_of(row) + mean_cell(row, updates_of) + mean_cell(row, seconds_of) + "\t" +
            metric_of(row) + score_cells(best_of(row), table) + mean_cell(row, best_update_of);
    for (const TestName& test : tests) text += score_cells(test_of(row, test), table);
    for (const std::string& key : keys) text += "\t" + setting_text(row, key);
  }
  return text + "\n";
}

std::string json_table(const RunTable& table) {
  const auto keys = differing_settings(table);
  const auto tests = test_names(table);
  Json list = Json::array();
  for (const RunGroup& row : table.rows) list.push_back(row_json(row, table, tests, keys));
  return json_text(list, 2) + "\n";
}

}  // namespace heed
