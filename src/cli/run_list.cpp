#include "cli/run_list.h"

#include <algorithm>
#include <charconv>
#include <cmath>
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

void find_runs(const fs::path& folder, int levels, std::vector<fs::path>& runs) {
  if (is_run_folder(folder)) {
    runs.push_back(folder);
    return;
  }
  if (levels == 0) return;
  for (const fs::path& entry : list_folder(folder)) {
    const bool is_hidden = entry.filename().string().starts_with('.');
    if (!is_hidden && is_folder(entry)) find_runs(entry, levels - 1, runs);
  }
}

bool is_locked(const fs::path& path) try {
  return is_there(path) && Descriptor::open_to_read(path).is_locked();
} catch (const Error&) {
  return false;
}

// One that cannot be read is no reason to show none.
std::vector<MetricLine> lines_of(const fs::path& run) try {
  if (!is_plain_file(run / kRunMetrics)) return {};
  return read_metrics(run);
} catch (const Error& error) {
  spdlog::warn("{}", error.what());
  return {};
}

// Update of the latest checkpoint; 0: there is none.
int64_t latest_checkpoint(const fs::path& run) {
  int64_t latest = 0;
  for (const fs::path& entry : list_folder(run / kRunCheckpoints)) {
    const std::string name = entry.filename().string();
    const size_t dash = name.find('-') + 1;
    int64_t update = 0;
    std::from_chars(name.data() + dash, name.data() + name.size(), update);
    latest = std::max(latest, update);
  }
  return latest;
}

// The state that the last line says. Runs of heed 0.1 without such a line have finished if they were
// tested or have reached their number of updates.
bool has_ended(const std::vector<MetricLine>& lines, const RunSummary& run, const char* state) {
  if (lines.empty()) return false;
  const MetricLine& last = lines.back();
  if (last.kind == "end") return last.state == state;
  return state == std::string_view(kFinished) &&
         (last.kind == "test" ||
          setting_of(run.settings, "train.max_updates") == std::to_string(run.updates));
}

RunProgress progress_of(const fs::path& path, const std::vector<MetricLine>& lines,
                        const RunSummary& run) {
  if (is_locked(path) || is_locked(path / kRunLock)) return RunProgress::kRunning;
  if (has_ended(lines, run, kDiverged)) return RunProgress::kDiverged;
  if (latest_checkpoint(path) == 0) return RunProgress::kNoCheckpoint;
  return has_ended(lines, run, kFinished) ? RunProgress::kFinished : RunProgress::kStopped;
}

RunSummary summary_of(const fs::path& path, const std::string& name) {
  RunSummary run{.name = name, .updates = latest_checkpoint(path), .settings = read_settings(path)};
  run.metric = setting_of(run.settings, "train.validate.metric");
  const auto lines = lines_of(path);
  for (const MetricLine& line : lines) {
    run.updates = std::max(run.updates, line.update);
    if (const auto time = line.figures.find("seconds"); time != line.figures.end())
      run.seconds = std::max(run.seconds.value_or(0), time->second);
    const auto score = line.figures.find(run.metric);
    if (line.is_best && score != line.figures.end() && std::isfinite(score->second))
      run.best = {score->second, line.update};
  }
  run.progress = progress_of(path, lines, run);
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
  std::vector<fs::path> paths;
  find_runs(folder, kDeepest, paths);
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
