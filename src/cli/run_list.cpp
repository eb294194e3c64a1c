#include "cli/run_list.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/log.h"
#include "base/run_files.h"
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

// What cannot be read is a warning, so that the rest is shown.
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

bool is_locked(const fs::path& path) try {
  return is_there(path) && Descriptor::open_regular(path).is_locked();
} catch (const Error&) {
  return false;
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

// Whether it is the validation of the best checkpoint. The line is written before the checkpoint.
bool is_of_best(const MetricLine& line, const SavedUpdates& saved) {
  return line.kind == "validation" && saved.all.contains(line.update) &&
         (saved.best ? line.update == *saved.best : line.is_best);
}

// As the last line says.
bool has_ended(const std::vector<MetricLine>& lines, const char* state) {
  return !lines.empty() && lines.back().kind == "end" && lines.back().state == state;
}

RunProgress progress_of(const fs::path& path, const std::vector<MetricLine>& lines,
                        const SavedUpdates& saved) {
  if (is_locked(path) || is_locked(path / kRunLock)) return RunProgress::kRunning;
  if (has_ended(lines, kDiverged)) return RunProgress::kDiverged;
  if (saved.all.empty()) return RunProgress::kNoCheckpoint;
  return has_ended(lines, kFinished) ? RunProgress::kFinished : RunProgress::kStopped;
}

RunSummary summary_of(const fs::path& path, const std::string& name) {
  RunSummary run{.name = name, .settings = read_or_warn([&] { return read_settings(path); })};
  run.metric = setting_of(run.settings, "train.validate.metric");
  const auto saved = read_or_warn([&] { return saved_updates(path); });
  const auto lines = read_or_warn([&] { return lines_of(path); });
  if (!saved.all.empty()) run.updates = *saved.all.rbegin();
  for (const MetricLine& line : lines) {
    run.updates = std::max(run.updates, line.update);
    if (const auto time = line.figures.find("seconds"); time != line.figures.end())
      run.seconds = std::max(run.seconds.value_or(0), time->second);
    const auto score = line.figures.find(run.metric);
    if (is_of_best(line, saved) && score != line.figures.end() && std::isfinite(score->second))
      run.best = {score->second, line.update, line.scale(run.metric)};
  }
  run.progress = progress_of(path, lines, saved);
  return run;
}

bool higher_is_better(const std::string& metric) {
  if (metric == "loss" || metric == "perplexity") return false;
  const auto names = single_metric_names();
  return std::ranges::count(names, metric) == 0 || make_metric(metric)->higher_is_better();
}

// Smaller is better; last without a score.
std::tuple<bool, std::string, double> rank_of(const RunSummary& run) {
  if (!run.best) return {true, "", 0};
  return {false, run.metric, higher_is_better(run.metric) ? -run.best->value : run.best->value};
}

}  // namespace

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

std::vector<RunSummary> list_runs(const fs::path& folder) {
  if (!is_folder(folder))
    throw_error(ErrorKind::kModel, "{}: is no folder; expected a folder with runs",
                folder.string());
  const std::vector<fs::path> paths = find_runs(folder, kDeepest);
  if (paths.empty())
    throw_error(ErrorKind::kModel, "{}: has no runs; a run is a folder with metrics.jsonl",
                folder.string());
  std::vector<RunSummary> runs;
  for (const fs::path& path : paths) {
    const std::string below = path.lexically_relative(folder).string();
    runs.push_back(summary_of(path, path == folder ? short_names({path.string()}).front() : below));
  }
  return runs;
}

void warn_of_scales(const std::vector<RunSummary>& runs) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> names;  // by metric, scale
  for (const RunSummary& run : runs) {
    if (run.best && !run.best->scale.empty())
      names[run.metric][run.best->scale].push_back(run.name);
  }
  for (const auto& [metric, scales] : names) {
    if (scales.size() < 2) continue;
    std::vector<std::string> groups;
    for (const auto& [scale, group] : scales)
      groups.push_back(fmt::format("{}", fmt::join(group, ", ")));
    spdlog::warn(
        "the best {} of these runs cannot be compared, for their validation sets, or settings of "
        "the metric or of search, differ: {}",
        metric, fmt::join(groups, " | "));
  }
}

void sort_runs(std::vector<RunSummary>& runs, RunOrder order) {
  std::ranges::sort(runs, {}, &RunSummary::name);
  if (order == RunOrder::kScore) std::ranges::stable_sort(runs, {}, rank_of);
  if (order == RunOrder::kUpdates)
    std::ranges::stable_sort(runs, std::greater(), &RunSummary::updates);
  if (order == RunOrder::kTime)
    std::ranges::stable_sort(runs, std::greater(),
                             [](const RunSummary& run) { return run.seconds.value_or(-1); });
}

}  // namespace heed
