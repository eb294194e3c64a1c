#include "results/run_group.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

#include "base/error.h"
#include "base/log.h"

namespace heed {

namespace {

RunSettingValues without_seed(RunSettingValues settings) {
  std::erase_if(settings, [](const auto& setting) {
    return setting.first == "seed" || setting.first == "run";
  });
  return settings;
}

enum class CharacterKind { kOther, kDigit, kLetter };

// Bytes of other scripts count as letters, so that no character is cut.
CharacterKind kind_at(const std::string& text, size_t at) {
  const auto byte = static_cast<unsigned char>(at < text.size() ? text[at] : ' ');
  if (byte >= '0' && byte <= '9') return CharacterKind::kDigit;
  const bool is_letter =
      byte >= 0x80 || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  return is_letter ? CharacterKind::kLetter : CharacterKind::kOther;
}

// Tells if a text can be cut before `at` without cutting a word or a number.
bool is_border(const std::string& text, size_t at) {
  if (at == 0 || at >= text.size()) return true;
  return kind_at(text, at) != kind_at(text, at - 1) || kind_at(text, at) == CharacterKind::kOther;
}

// How many bytes all names begin with, up to a border in each.
size_t common_length(const std::vector<std::string>& names) {
  size_t length = names.front().size();
  for (const std::string& name : names) {
    const auto end = std::ranges::mismatch(name, names.front()).in1;
    length = std::min(length, static_cast<size_t>(end - name.begin()));
  }
  const auto cuts = [&](const std::string& name) { return !is_border(name, length); };
  while (std::ranges::any_of(names, cuts)) --length;
  return length;
}

// Smaller is better; last without a score.
std::tuple<bool, std::string, double> rank_of(const RunGroup& group) {
  const auto best = best_of(group);
  if (!best) return {true, "", 0};
  const std::string& metric = group.runs.front().metric;
  return {false, metric, higher_is_better(metric) ? -best->mean : best->mean};
}

template <class Value>
double mean_of(const RunGroup& group, Value value) {
  std::vector<double> values;
  for (const RunSummary& run : counted_runs(group)) values.push_back(value(run));
  return spread_of(values)->mean;
}

bool is_running(const RunSummary& run) { return run.progress == RunProgress::kRunning; }

std::string names_of(const std::vector<RunSummary>& runs, bool (*is_named)(const RunSummary&)) {
  std::vector<std::string> names;
  for (const RunSummary& run : runs) {
    if (is_named(run)) names.push_back(run.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void warn_of_missing_scores(const RunGroup& group) {
  const std::string without =
      names_of(counted_runs(group), [](const RunSummary& run) { return !run.best; });
  if (!without.empty() && best_of(group))
    spdlog::warn("{}: the mean is without {}, which has no score yet", group.name, without);
}

}  // namespace

void warn_of_running(const RunGroup& group) {
  if (counted_runs(group).size() < group.runs.size())
    spdlog::warn("{}: the means are without {}, still in training", group.name,
                 names_of(group.runs, is_running));
}

void warn_of_same_seeds(const RunGroup& group) {
  std::map<std::string, std::vector<std::string>> names;  // by seed
  for (const RunSummary& run : counted_runs(group))
    names[setting_of(run.settings, "seed")].push_back(run.name);
  for (const auto& [seed, same] : names) {
    if (same.size() > 1)
      spdlog::warn("{}: {} have the same seed, {}, and each counts in the mean", group.name,
                   fmt::join(same, ", "), seed);
  }
}

std::vector<std::vector<size_t>> groups_by_seed(const std::vector<RunSettingValues>& configs) {
  std::vector<std::vector<size_t>> groups;
  std::map<RunSettingValues, size_t> known;  // index of the group
  for (size_t i = 0; i < configs.size(); ++i) {
    const auto own = configs[i].empty() ? known.end() : known.find(without_seed(configs[i]));
    if (own != known.end()) {
      groups[own->second].push_back(i);
      continue;
    }
    if (!configs[i].empty()) known[without_seed(configs[i])] = groups.size();
    groups.push_back({i});
  }
  return groups;
}

void warn_of_no_groups() {
  spdlog::warn(
      "--group: no two of these runs differ by `seed` alone; `heed runs` shows what differs");
}

std::string common_name(const std::vector<std::string>& names) {
  if (names.size() == 1) return names.front();
  const size_t begin = common_length(names);
  std::vector<std::string> rest;
  for (const std::string& name : names) rest.emplace_back(name.rbegin(), name.rend() - begin);
  const size_t end = common_length(rest);
  for (std::string& name : rest) name = std::string(name.rbegin(), name.rend() - end);
  const std::string& first = names.front();
  return fmt::format("{}{{{}}}{}", first.substr(0, begin), fmt::join(rest, ","),
                     first.substr(first.size() - end));
}

std::optional<Spread> spread_of(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (values.size() == 1) return Spread{mean};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return Spread{mean, std::sqrt(squares / (count - 1))};
}

std::vector<RunGroup> single_runs(std::vector<RunSummary> runs) {
  std::vector<RunGroup> groups;
  for (RunSummary& run : runs) groups.push_back({run.name, {std::move(run)}});
  return groups;
}

std::vector<RunGroup> group_by_seed(const std::vector<RunSummary>& runs) {
  std::vector<RunSettingValues> configs;
  for (const RunSummary& run : runs) configs.push_back(run.settings);
  std::vector<RunGroup> groups;
  for (const std::vector<size_t>& members : groups_by_seed(configs)) {
    RunGroup& group = groups.emplace_back();
    std::vector<std::string> names;
    for (const size_t i : members) {
      group.runs.push_back(runs[i]);
      names.push_back(runs[i].name);
    }
    group.name = common_name(names);
    warn_of_running(group);
    warn_of_same_seeds(group);
    warn_of_missing_scores(group);
  }
  if (groups.size() == runs.size()) warn_of_no_groups();
  return groups;
}

std::vector<RunSummary> counted_runs(const RunGroup& group) {
  std::vector<RunSummary> counted;
  std::ranges::copy_if(group.runs, std::back_inserter(counted), std::not_fn(is_running));
  return counted.empty() ? group.runs : counted;
}

std::optional<Spread> best_of(const RunGroup& group) {
  std::vector<double> values;
  for (const RunSummary& run : counted_runs(group)) {
    if (run.best) values.push_back(run.best->value);
  }
  return spread_of(values);
}

void sort_groups(std::vector<RunGroup>& groups, RunOrder order) {
  std::ranges::sort(groups, {}, &RunGroup::name);
  if (order == RunOrder::kScore) std::ranges::stable_sort(groups, {}, rank_of);
  if (order == RunOrder::kUpdates)
    std::ranges::stable_sort(groups, std::greater(), [](const RunGroup& group) {
      return mean_of(group, [](const RunSummary& run) { return static_cast<double>(run.updates); });
    });
  if (order == RunOrder::kTime)
    std::ranges::stable_sort(groups, std::greater(), [](const RunGroup& group) {
      return mean_of(group, [](const RunSummary& run) { return run.seconds.value_or(-1); });
    });
}

}  // namespace heed
