#include "cli/run_table.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/columns.h"
#include "base/error.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace heed {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kWidestName = 36, kWidestValue = 24;  // terminal columns
constexpr const char* kNone = "-";

using MakeCell = std::string (*)(const RunSummary&);

TextColumn column(const std::vector<RunSummary>& runs, const std::string& name, bool right,
                  MakeCell cell) {
  TextColumn result{{name}, right};
  for (const RunSummary& run : runs) result.cells.push_back(cell(run));
  return result;
}

std::string score_text(const RunSummary& run) {
  if (!run.best) return kNone;
  const bool is_small = run.metric == "loss" || run.metric == "accuracy";
  return fmt::format("{:.{}f}", run.best->value, is_small ? 4 : 2);
}

// The metric of all; "" if there are several.
std::string common_metric(const std::vector<RunSummary>& runs) {
  std::string metric;
  for (const RunSummary& run : runs) {
    if (!run.best || run.metric == metric) continue;
    if (!metric.empty()) return "";
    metric = run.metric;
  }
  return metric;
}

TextColumn score_column(const std::vector<RunSummary>& runs) {
  const std::string metric = common_metric(runs);
  if (!metric.empty()) return column(runs, "best " + metric, true, score_text);
  return column(runs, "best", true, [](const RunSummary& run) {
    return run.best ? run.metric + " " + score_text(run) : kNone;
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

std::string value_of(const RunSummary& run, const std::string& key) {
  const std::string value = setting_of(run.settings, key);
  return printable(value);
}

std::vector<TextColumn> columns_of(const std::vector<RunSummary>& runs) {
  std::vector<TextColumn> columns{
      column(runs, "run", false,
             [](const RunSummary& run) { return cut_left(printable(run.name), kWidestName); }),
      column(runs, "state", false,
             [](const RunSummary& run) -> std::string { return word_of(run.progress); }),
      column(runs, "updates", true,
             [](const RunSummary& run) { return format_count(run.updates); }),
      column(runs, "time", true,
             [](const RunSummary& run) {
               return run.seconds ? format_duration(*run.seconds) : kNone;
             }),
      score_column(runs),
      column(runs, "at update", true, [](const RunSummary& run) {
        return run.best ? format_count(run.best->update) : kNone;
      })};
  const auto keys = differing_settings(runs);
  const auto names = short_keys(keys);
  for (size_t i = 0; i < keys.size(); ++i) {
    std::vector<std::string>& cells = columns.emplace_back().cells;
    cells.push_back(names[i]);
    for (const RunSummary& run : runs)
      cells.push_back(cut_to_width(value_of(run, keys[i]), kWidestValue));
  }
  return columns;
}

std::string block(const std::vector<TextColumn>& columns) {
  std::string text;
  for (const std::string& line : align_columns(columns))
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  return text;
}

Json value_json(const std::string& value) {
  const Json json = Json::parse(value == "~" ? "null" : value, nullptr, false);
  return json.is_discarded() ? Json(value) : json;
}

}  // namespace

std::vector<std::string> differing_settings(const std::vector<RunSummary>& runs) {
  std::vector<std::map<std::string, std::string>> all;
  for (const RunSummary& run : runs) {
    if (!run.settings.empty()) all.emplace_back(run.settings.begin(), run.settings.end());
  }
  std::vector<std::string> keys;
  const auto first =
      std::ranges::find_if(runs, [](const auto& run) { return !run.settings.empty(); });
  if (first == runs.end()) return keys;
  for (const auto& [key, value] : first->settings) {
    const bool everywhere =
        std::ranges::all_of(all, [&](const auto& one) { return one.contains(key); });
    const bool same = everywhere && std::ranges::all_of(
                                        all, [&](const auto& one) { return one.at(key) == value; });
    if (key != "run" && everywhere && !same) keys.push_back(key);
  }
  return keys;
}

std::vector<std::string> short_keys(const std::vector<std::string>& keys) {
  std::vector<std::string> names;
  for (const std::string& key : keys) {
    size_t at = key.size();
    std::string name;
    do {
      at = at == 0 ? std::string::npos : key.rfind('.', at - 1);
      name = at == std::string::npos ? key : key.substr(at + 1);
    } while (at != std::string::npos && std::ranges::count_if(keys, [&](const std::string& other) {
                                          return other == name || other.ends_with("." + name);
                                        }) > 1);
    names.push_back(name);
  }
  return names;
}

std::string text_table(const std::vector<RunSummary>& runs, size_t width) {
  const std::vector<TextColumn> columns = columns_of(runs);
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

std::string tsv_table(const std::vector<RunSummary>& runs) {
  const auto keys = differing_settings(runs);
  std::string text = "run\tstate\tupdates\tseconds\tmetric\tbest\tbest_update";
  for (const std::string& key : keys) text += "\t" + printable(key);
  for (const RunSummary& run : runs) {
    text += fmt::format("\n{}\t{}\t{}\t{}\t{}\t{}\t{}", printable(run.name), word_of(run.progress),
                        run.updates, run.seconds ? fmt::format("{}", *run.seconds) : "", run.metric,
                        run.best ? fmt::format("{}", run.best->value) : "",
                        run.best ? fmt::format("{}", run.best->update) : "");
    for (const std::string& key : keys) text += "\t" + value_of(run, key);
  }
  return text + "\n";
}

std::string json_table(const std::vector<RunSummary>& runs) {
  const auto keys = differing_settings(runs);
  Json list = Json::array();
  for (const RunSummary& run : runs) {
    Json one{{"run", run.name}, {"state", word_of(run.progress)}, {"updates", run.updates}};
    one["seconds"] = run.seconds ? Json(*run.seconds) : Json();
    one["metric"] = run.metric.empty() ? Json() : Json(run.metric);
    one["best"] = run.best ? Json(run.best->value) : Json();
    one["best_update"] = run.best ? Json(run.best->update) : Json();
    one["settings"] = Json::object();
    for (const std::string& key : keys)
      one["settings"][key] = value_json(setting_of(run.settings, key));
    list.push_back(one);
  }
  return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heed
