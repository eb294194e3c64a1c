#include "sweep/run_pool.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <set>

#include "base/child_process.h"
#include "base/error.h"
#include "base/file.h"
#include "base/host.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/run_folder_names.h"
#include "results/run_list.h"
#include "run/run_lock.h"
#include "sweep/child_command.h"
#include "sweep/trained_run.h"

namespace heed {

namespace {

using Time = std::chrono::steady_clock;

double seconds_since(Time::time_point begin) {
  return std::chrono::duration<double>(Time::now() - begin).count();
}

// Output of the training of a run, in its folder.
fs::path output_of(const PlannedRun& run) { return run.folder / "sweep.log"; }

// "1,000 updates, bleu 32.10 at update 900"
std::string progress_text(const PlannedRun& run) {
  const RunSummary summary = list_runs({run.folder.string()}).front();
  std::string text = fmt::format("{} updates", format_count(summary.updates));
  if (summary.best)
    text += fmt::format(", {} {:.4g} at update {}", summary.metric, summary.best->value,
                        format_count(summary.best->update));
  return text;
}

}  // namespace

struct RunPool::Active {
  RunJob job;
  int64_t place;  // among those at the same time
  Time::time_point begin = Time::now();
  ChildProcess process;
};

RunPool::RunPool(const SweepPlan& plan)
    : plan_(plan), cores_(plan.jobs > 1 ? usable_cores(plan.jobs) : 0) {}

RunPool::~RunPool() = default;

void RunPool::train(const std::vector<size_t>& settings, std::optional<int64_t> updates) {
  done_ = 0;
  std::optional<Error> changed;
  for (const size_t setting : settings) {
    for (const PlannedRun* run : plan_.runs_of(setting)) {
      if (!failures_.contains(run->name)) waiting_.push_back({run, updates});
    }
  }
  all_ = std::ssize(waiting_);
  while (!waiting_.empty() || !active_.empty()) {
    if (signal_ == 0 && caught_signal() != 0) {
      signal_ = caught_signal();
      waiting_.clear();
      for (const auto& one : active_) one->process.send(SIGTERM);
      if (!active_.empty())
        spdlog::info("interrupted; {} {} saving", active_.size(),
                     active_.size() == 1 ? "run is" : "runs are");
    }
    collect();
    try {
      if (std::ssize(active_) < plan_.jobs && start_next()) continue;
    } catch (const Error& error) {
      changed = error;
      waiting_.clear();
    }
    constexpr useconds_t kMoment = 20'000;
    if (!waiting_.empty() || !active_.empty()) usleep(kMoment);
  }
  if (changed) throw Error(*changed);
}

// Starts a run that can be started. Returns true if the list has changed.
bool RunPool::start_next() {
  for (auto next = waiting_.begin(); next != waiting_.end(); ++next) {
    const RunJob job = *next;
    const PlannedRun& run = *job.run;
    if (is_being_trained(run.folder)) {
      if (!awaited_[run.name])
        spdlog::info("{}: {} is training it; waiting for its end", run.name,
                     holder_of_lock(run.folder));
      awaited_[run.name] = true;
      continue;
    }
    waiting_.erase(next);
    const TrainedRun found = look_at_run(run);
    if (!found.changed.empty() && !plan_.request.retrain) {
      // Another process has trained it since the sweep began.
      failures_[run.name] = fmt::format("was trained with another {}", found.changed.front().key);
      ++done_;
    } else if (found.changed.empty() && found.diverged) {
      failures_[run.name] = "diverged";
      ++done_;
    } else if (found.changed.empty() && found.is_done(job.updates)) {
      ++done_;
    } else {
      check_unchanged(plan_);
      std::set<int64_t> places;
      for (const auto& one : active_) places.insert(one->place);
      int64_t place = 0;
      while (places.contains(place)) ++place;
      start(job, place);
    }
    return true;
  }
  return false;
}

void RunPool::start(const RunJob& job, int64_t place) {
  const PlannedRun& run = *job.run;
  const bool overwrite = !look_at_run(run).changed.empty();
  make_folders(run.folder);
  const auto limit = run.config.train.max_updates;
  const bool is_full = !job.updates || (limit && *limit <= *job.updates);
  ChildStart start{
      .arguments = plan_.arguments(run, is_full ? std::nullopt : job.updates, overwrite),
      .output = output_of(run),
      .first_core = place * cores_,
      .cores = cores_};
  active_.push_back(std::unique_ptr<Active>(
      new Active{.job = job, .place = place, .process = ChildProcess(start)}));
  spdlog::info(
      "{}: {}{}", run.name, overwrite ? "begins anew" : "begins",
      is_full ? std::string() : fmt::format(", up to update {}", format_count(*job.updates)));
}

void RunPool::collect() {
  for (size_t i = 0; i < active_.size();) {
    if (!active_[i]->process.has_ended()) {
      ++i;
      continue;
    }
    const std::unique_ptr<Active> one = std::move(active_[i]);
    active_.erase(active_.begin() + static_cast<int64_t>(i));
    ended(*one);
  }
}

void RunPool::ended(const Active& one) {
  const PlannedRun& run = *one.job.run;
  const int exit_code = one.process.exit_code();
  const double seconds = seconds_since(one.begin);
  constexpr int kBusy = static_cast<int>(ErrorKind::kIo);
  if (exit_code == kBusy && signal_ == 0 && is_being_trained(run.folder))
    return waiting_.push_back(one.job);  // another process was faster
  if (signal_ != 0 && exit_code != 0) return;
  ++done_;
  ++trained_;
  seconds_ += seconds;
  if (exit_code == 0) {
    spdlog::info("{}: ended in {}, {}; {}", run.name, format_duration(seconds), progress_text(run),
                 count_and_time_left());
    return;
  }
  failures_[run.name] = failure_of(output_of(run), exit_code);
  spdlog::error("{}: failed after {}: {}; {}", run.name, format_duration(seconds),
                failures_[run.name], count_and_time_left());
}

// "4 of 12 runs, about 12m left"
std::string RunPool::count_and_time_left() const {
  std::string text = fmt::format("{} of {}", done_, all_);
  const int64_t left = std::ssize(waiting_) + std::ssize(active_);
  if (left == 0 || trained_ == 0) return text;
  const double mean = seconds_ / static_cast<double>(trained_);
  const double rounds = static_cast<double>(left) / static_cast<double>(std::min(plan_.jobs, left));
  return text + fmt::format(", about {} left", format_duration(mean * rounds));
}

}  // namespace heed
