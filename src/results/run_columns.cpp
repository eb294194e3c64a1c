#include "results/run_columns.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/log.h"
#include "results/run_score.h"

namespace heed {

std::optional<double> updates_of(const RunSummary& run) { return static_cast<double>(run.updates); }

std::optional<double> seconds_of(const RunSummary& run) { return run.seconds; }

std::optional<double> best_update_of(const RunSummary& run) {
  if (!run.best) return std::nullopt;
  return static_cast<double>(run.best->update);
}

std::optional<Spread> number_of(const RunGroup& row, RunNumber number) {
  std::vector<double> values;
  for (const RunSummary& run : counted_runs(row)) {
    if (const auto value = number(run)) values.push_back(*value);
  }
  return spread_of(values);
}

std::vector<TestName> test_names(const RunTable& table) {
  std::vector<TestName> names;
  for (const RunGroup& row : table.rows) {
    for (const RunSummary& run : row.runs) {
      for (const TestScore& test : run.tests) {
        const TestName name{test.set, test.metric};
        if (std::ranges::count(names, name) == 0) names.push_back(name);
      }
    }
  }
  return names;
}

std::optional<Spread> test_of(const RunGroup& row, const TestName& test) {
  std::vector<double> values;
  for (const RunSummary& run : counted_runs(row)) {
    for (const TestScore& own : run.tests) {
      if (TestName{own.set, own.metric} == test) values.push_back(own.value);
    }
  }
  return spread_of(values);
}

const std::string& metric_of(const RunGroup& row) { return row.runs.front().metric; }

std::string state_of(const RunGroup& row) {
  std::map<RunProgress, int64_t> counts;
  for (const RunSummary& run : row.runs) ++counts[run.progress];
  if (counts.size() == 1) return word_of(counts.begin()->first);
  std::vector<std::string> states;
  for (const auto& [progress, count] : counts)
    states.push_back(fmt::format("{} {}", word_of(progress), count));
  return fmt::format("{}", fmt::join(states, ", "));
}

std::vector<std::string> differing_settings(const RunTable& table) {
  std::vector<std::map<std::string, std::string>> all;
  const RunSettingValues* first = nullptr;
  for (const RunGroup& row : table.rows) {
    const RunSettingValues& settings = row.runs.front().settings;
    if (settings.empty()) continue;
    if (first == nullptr) first = &settings;
    all.emplace_back(settings.begin(), settings.end());
  }
  std::vector<std::string> keys;
  if (first == nullptr) return keys;
  for (const auto& setting : *first) {
    const std::string& key = setting.first;
    const bool everywhere =
        std::ranges::all_of(all, [&](const auto& one) { return one.contains(key); });
    const bool same = everywhere && std::ranges::all_of(all, [&](const auto& one) {
                        return one.at(key) == setting.second;
                      });
    const bool is_its_own = key == "run" || (table.grouped && key == "seed");
    if (!is_its_own && everywhere && !same) keys.push_back(key);
  }
  return keys;
}

std::vector<std::string> short_keys(std::vector<std::string> keys) {
  constexpr std::string_view kType = ".type";
  for (std::string& key : keys) {
    if (key.ends_with(kType)) key.resize(key.size() - kType.size());
  }
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

std::string score_text(const std::optional<Spread>& score, const std::string& metric) {
  if (!score) return kNoValue;
  const int digits = decimals_of(metric);
  std::string text = fmt::format("{:.{}f}", score->mean, digits);
  if (score->deviation) text += fmt::format(" ± {:.{}f}", *score->deviation, digits);
  return text;
}

std::string count_text(const std::optional<Spread>& count) {
  return count ? format_count(std::llround(count->mean)) : kNoValue;
}

std::string time_text(const RunGroup& row) {
  const auto seconds = number_of(row, seconds_of);
  return seconds ? format_duration(seconds->mean) : kNoValue;
}

std::string common_metric(const RunTable& table) {
  std::string metric;
  for (const RunGroup& row : table.rows) {
    if (!best_of(row) || metric_of(row) == metric) continue;
    if (!metric.empty()) return "";
    metric = metric_of(row);
  }
  return metric;
}

std::string setting_text(const RunGroup& row, const std::string& key) {
  return setting_of(row.runs.front().settings, key);
}

}  // namespace heed
