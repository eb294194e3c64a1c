#include "sweep/halving.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/folder.h"
#include "base/log.h"
#include "base/run_folder_names.h"
#include "results/run_metrics.h"

namespace heed {

namespace {

// True if a run of these settings may have more updates.
bool is_below_limit(const SweepPlan& plan, const std::vector<size_t>& settings, int64_t updates) {
  return std::ranges::any_of(settings, [&](size_t setting) {
    const auto limit = plan.runs_of(setting).front()->config.train.max_updates;
    return !limit || *limit > updates;
  });
}

std::optional<double> best_up_to(const PlannedRun& run, int64_t update) {
  if (!is_plain_file(run.folder / kRunMetrics)) return std::nullopt;
  const ValidationMetric& metric = run.config.train.validation.metric;
  std::optional<double> best;
  for (const MetricLine& line : read_metrics(run.folder)) {
    const auto figure = line.figures.find(metric.name);
    if (line.kind != "validation" || line.update > update || figure == line.figures.end() ||
        !std::isfinite(figure->second))
      continue;
    const double score = metric.higher_is_better ? figure->second : -figure->second;
    best = best ? std::max(*best, score) : score;
  }
  return best;
}

}  // namespace

std::vector<size_t> best_settings(const std::vector<std::optional<double>>& scores, double keep) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return scores[a].value_or(-HUGE_VAL) > scores[b].value_or(-HUGE_VAL);
  });
  const auto wanted =
      static_cast<int64_t>(std::ceil(keep * static_cast<double>(scores.size()) - 1e-9));
  const int64_t most = std::max<int64_t>(1, std::ssize(scores) - 1);
  order.resize(static_cast<size_t>(std::clamp<int64_t>(wanted, 1, most)));
  std::ranges::sort(order);
  return order;
}

std::optional<double> score_at(const std::vector<const PlannedRun*>& runs, int64_t update) {
  double sum = 0;
  for (const PlannedRun* run : runs) {
    const auto score = best_up_to(*run, update);
    if (!score) return std::nullopt;
    sum += *score;
  }
  return sum / static_cast<double>(runs.size());
}

std::map<size_t, int64_t> train_all(const SweepPlan& plan, RunPool& pool) {
  std::vector<size_t> settings;
  for (size_t i = 0; i < plan.settings.size(); ++i) {
    if (!plan.settings[i].teacher) settings.push_back(i);
  }
  std::map<size_t, int64_t> stopped;
  for (int64_t updates = plan.halving ? plan.halving->every : 0;
       plan.halving && settings.size() > 1 && is_below_limit(plan, settings, updates);
       updates *= 2) {
    pool.train(settings, updates);
    if (pool.signal() != 0) return stopped;
    std::vector<std::optional<double>> scores;
    for (const size_t setting : settings) {
      const auto runs = plan.runs_of(setting);
      const bool failed = std::ranges::any_of(
          runs, [&](const PlannedRun* run) { return pool.failures().contains(run->name); });
      scores.push_back(failed ? std::nullopt : score_at(runs, updates));
    }
    std::vector<size_t> best;
    for (const size_t i : best_settings(scores, plan.halving->keep)) best.push_back(settings[i]);
    for (const size_t setting : settings) {
      if (std::ranges::count(best, setting) == 0) stopped[setting] = updates;
    }
    spdlog::info("update {}: {} of {} settings go on", format_count(updates), best.size(),
                 settings.size());
    settings = std::move(best);
  }
  pool.train(settings);
  return stopped;
}

}  // namespace heed
