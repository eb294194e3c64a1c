// Trains several runs of a sweep at the same time. Each run has its own process.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sweep/sweep_plan.h"

namespace heed {

class RunPool {
 public:
  explicit RunPool(const SweepPlan& plan);
  ~RunPool();

  // Trains the runs of these settings, by index, up to this number of updates or in full. Skips finished
  // runs and returns when all have ended. Waits for a run that another process trains. A signal stops
  // all runs: each saves. Throws Error(kUsage) if the config changes meanwhile, once those that train
  // have ended.
  void train(const std::vector<size_t>& settings, std::optional<int64_t> updates = {});

  // The signal that has stopped them, or 0.
  int signal() const { return signal_; }
  // Why runs failed, by their names.
  const std::map<std::string, std::string>& failures() const { return failures_; }

 private:
  // A training of a run.
  struct RunJob {
    const PlannedRun* run = nullptr;
    std::optional<int64_t> updates{};
  };
  struct Active;
  bool start_next();
  void start(const RunJob& job, int64_t place);
  void collect();
  void ended(const Active& one);
  std::string count_and_time_left() const;

  const SweepPlan& plan_;
  int64_t cores_;                  // of each run; 0: all
  std::vector<RunJob> waiting_{};  // next first
  std::vector<std::unique_ptr<Active>> active_{};
  std::map<std::string, std::string> failures_{};
  std::map<std::string, bool> awaited_{};  // runs that another process trains, which was said
  int64_t all_ = 0, done_ = 0;             // of this call of train()
  double seconds_ = 0;                     // of those that were trained here
  int64_t trained_ = 0;
  int signal_ = 0;
};

}  // namespace heed
