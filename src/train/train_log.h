// The log of a run: a line each log_every updates and for validations and unusual events, on stderr
// and in train.log; the same figures in metrics.jsonl; on a terminal a progress line below them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "train/metrics_file.h"
#include "train/parts.h"
#include "train/train_config.h"

namespace heed {

class RunLog final : public TrainLog {
 public:
  RunLog(MetricsFile& metrics, const TrainConfig& config, int64_t examples_per_epoch,
         const Progress& start);
  ~RunLog() override;

  void tick(const Progress& progress) override;
  void updates(const Progress& progress, const UpdateReport& report) override;
  void skipped(const Progress& progress, const std::string& reason) override;
  void validates_at_end(const Progress& progress, const std::string& reason) override;
  void validated(const Progress& progress, const std::vector<Sample>& samples) override;
  void saved(const Progress& progress) override;
  void ended(const Progress& progress, const std::string& reason) override;

 private:
  double speed() const;  // target tokens a second of training
  // "update 50 of 2,700, epoch 1, 2% done"
  std::string reached(const Progress& progress) const;
  std::string left(const Progress& progress) const;
  void draw(const Progress& progress);
  Throughput throughput_since(const UpdateReport& report);  // the last line

  MetricsFile& metrics_;
  const TrainConfig& config_;
  int64_t examples_per_epoch_;
  double seconds_ = 0;   // of training since the last line
  int64_t tokens_ = 0;   // in them
  double last_seconds_;  // of Progress at the last call
  int64_t last_tokens_;
  double last_drawn_ = -1;
  double last_waited_ = 0;       // of UpdateReport in the last line
  std::set<bool> told_of_cuts_;  // CutLines::repeats(); each line of a validation counts them
};

}  // namespace heed
