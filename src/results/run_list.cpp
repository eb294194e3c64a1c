#include "results/run_list.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/file.h"
#include "base/folder.h"
#include "base/log.h"
#include "base/run_folder_names.h"
#include "metric/registry.h"

namespace heed {

namespace {

constexpr int kDeepest = 4;  // levels of folders

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_run_folder(const fs::path& path) {
  return is_plain_file(path / kRunMetrics) || is_folder(path / kRunCheckpoints);
}

// Logs a read error as a warning, so that the other runs are still listed.
template <class Read>
auto read_or_warn(const Read& read) -> decltype(read()) try {
  return read();
} catch (const Error& error) {
  spdlog::warn("{}", error.what());
  return {};
}

std::vector<fs::path> find_runs(const fs::path& folder, int levels) {
  if (is_run_folder(folder)) return {folder};
  if (levels == 0) return {};
  std::vector<fs::path> runs;
  for (const fs::path& entry : list_folder(folder)) {
    const bool is_hidden = entry.filename().string().starts_with('.');
    if (is_hidden || !is_folder(entry)) continue;
    std::ranges::copy(read_or_warn([&] { return find_runs(entry, levels - 1); }),
                      std::back_inserter(runs));
  }
  return runs;
}

std::vector<MetricLine> lines_of(const fs::path& run) {
  if (!is_plain_file(run / kRunMetrics)) return {};
  return read_metrics(run);
}

struct SavedUpdates {
  std::set<int64_t> all;
  std::optional<int64_t> best;  // that the link `best` names; a copy of a run may lack the link
};

SavedUpdates saved_updates(const fs::path& run) {
  SavedUpdates saved;
  for (const fs::path& entry : list_folder(run / kRunCheckpoints)) {
    if (const auto update = update_of_checkpoint(entry.filename().string()))
      saved.all.insert(*update);
  }
  std::error_code no_link;
  const fs::path best = fs::read_symlink(run / "best", no_link);
  if (!no_link) saved.best = update_of_checkpoint(best.filename().string()).value_or(0);
  return saved;
}

// True for the validation of the best checkpoint. Its line is written before the checkpoint.
bool is_of_best(const MetricLine& line, const SavedUpdates& saved) {
  return line.kind == "validation" && saved.all.contains(line.update) &&
         (saved.best ? line.update == *saved.best : line.is_best);
}

// True if the last line says that the run ended in `state`.
bool has_ended(const std::vector<MetricLine>& lines, const char* state) {
  return !lines.empty() && lines.back().kind == "end" && lines.back().state == state;
}

RunProgress progress_of(const fs::path& path, const std::vector<MetricLine>& lines,
                        const SavedUpdates& saved) {
  if (is_being_trained(path)) return RunProgress::kRunning;
  if (has_ended(lines, kDiverged)) return RunProgress::kDiverged;
  if (saved.all.empty()) return RunProgress::kNoCheckpoint;
  return has_ended(lines, kFinished) ? RunProgress::kFinished : RunProgress::kStopped;
}

// Scores of one checkpoint: the best one, or without a best score the last one tested. If a set was
// tested again, the last score counts.
std::vector<TestScore> tests_of(const std::vector<MetricLine>& lines,
                                const std::optional<BestScore>& best) {
  static const std::vector<std::string> metrics = single_metric_names();
  std::map<double, std::vector<TestScore>> by_checkpoint;
  double last = -1;
  for (const MetricLine& line : lines) {
    const auto checkpoint = line.figures.find("checkpoint");
    if (line.kind != "test" || checkpoint == line.figures.end()) continue;
    last = checkpoint->second;
    std::vector<TestScore>& tests = by_checkpoint[last];
    for (const auto& figure : line.figures) {
      const std::string& metric = figure.first;
      const double value = figure.second;
      if (std::ranges::count(metrics, metric) == 0 || !std::isfinite(value)) continue;
      const auto before = std::ranges::find_if(tests, [&](const TestScore& one) {
        return one.set == line.name && one.metric == metric;
      });
      TestScore& own = before == tests.end() ? tests.emplace_back() : *before;
      own = {line.name, metric, value, line.signature, line.text_hash};
    }
  }
  return by_checkpoint[best ? static_cast<double>(best->update) : last];
}

RunSummary summary_of(const fs::path& path, const std::string& name) {
  RunSummary run{
      .name = name, .folder = path, .settings = read_or_warn([&] { return read_settings(path); })};
  run.metric = setting_of(run.settings, "train.validate.metric");
  const auto saved = read_or_warn([&] { return saved_updates(path); });
  const auto lines = read_or_warn([&] { return lines_of(path); });
  if (!saved.all.empty()) run.updates = *saved.all.rbegin();
  for (const MetricLine& line : lines) {
    run.updates = std::max(run.updates, line.update);
    if (const auto time = line.figures.find("seconds"); time != line.figures.end())
      run.seconds = std::max(run.seconds.value_or(0), time->second);
    const auto score = line.figures.find(run.metric);
    if (is_of_best(line, saved) && score != line.figures.end() && std::isfinite(score->second)) {
      run.best = {score->second, line.update, line.comparison_key(run.metric)};
      run.validation = line.figures;
    }
  }
  run.tests = tests_of(lines, run.best);
  run.progress = progress_of(path, lines, saved);
  return run;
}

std::vector<fs::path> runs_in(const fs::path& folder) {
  if (!is_folder(folder))
    throw_error(ErrorKind::kModel, "{}: is not a folder; expected a folder with runs",
                folder.string());
  std::vector<fs::path> paths = find_runs(folder, kDeepest);
  if (paths.empty())
    throw_error(ErrorKind::kModel, "{}: has no runs; a run is a folder with metrics.jsonl",
                folder.string());
  return paths;
}

std::vector<RunSummary> runs_below(const fs::path& folder) {
  std::vector<RunSummary> runs;
  for (const fs::path& path : runs_in(folder)) {
    const std::string below = path.lexically_relative(folder).string();
    runs.push_back(summary_of(path, path == folder ? short_names({path.string()}).front() : below));
  }
  return runs;
}

// The runs of several folders. A folder without runs is only a warning: a pattern such as runs/*
// also matches files and empty folders.
std::vector<RunSummary> runs_of_several(const std::vector<std::string>& folders) {
  std::vector<std::string> paths;
  std::set<fs::path> known;
  for (const std::string& folder : folders) {
    for (const fs::path& path : read_or_warn([&] { return runs_in(folder); })) {
      const fs::path whole = without_last_slash(fs::absolute(path).lexically_normal());
      if (known.insert(whole).second) paths.push_back(path.string());
    }
  }
  if (paths.empty())
    throw_error(ErrorKind::kModel, "none of these {} folders has a run", folders.size());
  const std::vector<std::string> names = short_names(paths);
  std::vector<RunSummary> runs;
  for (size_t i = 0; i < paths.size(); ++i) runs.push_back(summary_of(paths[i], names[i]));
  return runs;
}

// Names of runs, grouped by the settings that their scores depend on.
using NamesByScale = std::map<std::string, std::vector<std::string>>;

// "a, b | c"; "" if all scores have the same settings.
std::string apart(const NamesByScale& names) {
  if (names.size() < 2) return "";
  std::vector<std::string> groups;
  for (const auto& [key, group] : names)
    groups.push_back(fmt::format("{}", fmt::join(group, ", ")));
  return fmt::format("{}", fmt::join(groups, " | "));
}

// The scores of test sets, by set and metric.
using ScalesOfTests = std::map<std::pair<std::string, std::string>, NamesByScale>;

void warn_of_scales(const ScalesOfTests& tests, const char* reason) {
  for (const auto& [test, scales] : tests) {
    if (const std::string groups = apart(scales); !groups.empty())
      spdlog::warn("the {} of {} cannot be compared, for {} differ: {}", test.second, test.first,
                   reason, groups);
  }
}

void warn_of_test_scales(const std::vector<RunSummary>& runs) {
  ScalesOfTests by_signature, by_text;
  for (const RunSummary& run : runs) {
    for (const TestScore& test : run.tests) {
      const std::pair name{test.set, test.metric};
      by_signature[name][without_version(test.signature)].push_back(run.name);
      if (!test.text_hash.empty()) by_text[name][test.text_hash].push_back(run.name);
    }
  }
  warn_of_scales(by_signature, "the settings of the metric");
  warn_of_scales(by_text, "the test sets of this name");
}

}  // namespace

std::string without_version(const std::string& signature) {
  return signature.substr(0, signature.find("|version:"));
}

const char* word_of(RunProgress progress) {
  switch (progress) {
    case RunProgress::kRunning:
      return "running";
    case RunProgress::kFinished:
      return kFinished;
    case RunProgress::kStopped:
      return kStopped;
    case RunProgress::kDiverged:
      return kDiverged;
    case RunProgress::kNoCheckpoint:
      break;
  }
  return "no checkpoint";
}

std::vector<RunSummary> list_runs(const std::vector<std::string>& folders) {
  return folders.size() == 1 ? runs_below(folders.front()) : runs_of_several(folders);
}

void warn_of_scales(const std::vector<RunSummary>& runs) {
  std::map<std::string, NamesByScale> names;  // by metric
  for (const RunSummary& run : runs) {
    if (run.best && !run.best->comparison_key.empty())
      names[run.metric][run.best->comparison_key].push_back(run.name);
  }
  for (const auto& [metric, scales] : names) {
    if (const std::string groups = apart(scales); !groups.empty())
      spdlog::warn(
          "the best {} of these runs cannot be compared, for their validation sets, or settings of "
          "the metric or of search, differ: {}",
          metric, groups);
  }
  warn_of_test_scales(runs);
}

bool higher_is_better(const std::string& metric) {
  if (metric == "loss" || metric == "perplexity") return false;
  const auto names = single_metric_names();
  return std::ranges::count(names, metric) == 0 || make_metric(metric)->higher_is_better();
}

}  // namespace heed
