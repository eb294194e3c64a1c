// Learning-rate schedules: a factor on the initial learning rate, as a pure function of the number
// of the update and, for plateau, of the validation scores so far. They have no state, so a resumed
// run follows the same curve.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config/fields.h"

namespace heed {

// Score of a validation, with a sign such that larger is better.
struct ComparedScore {
  ComparedScore(double score, bool anew = false) : value(score), begins_anew(anew) {}
  double value;
  bool begins_anew;  // cannot be compared with the earlier scores
  bool operator==(const ComparedScore&) const = default;
};
// Scores of the validations so far, in order.
using Scores = std::vector<ComparedScore>;

struct ScheduleConfig : KindSettings {
  // Factor of update 1, 2, …
  virtual double factor(int64_t update, const Scores& scores) const = 0;
  // Update from which on the factor is constant; nullopt if there is none.
  virtual std::optional<int64_t> constant_from() const { return std::nullopt; }
  // True if the factor depends on the scores of validations.
  virtual bool reads_scores() const { return false; }
};
const Registry<ScheduleConfig>& schedules();

// Constant 1, after a linear warm-up.
struct ConstantSchedule final : ScheduleConfig {
  int64_t warmup = 0;
  void fields(Fields& f) override;
  double factor(int64_t update, const Scores& scores) const override;
};

// Rises to 1 over the warm-up, then falls with the square root: sqrt(warmup / update).
struct InverseSqrtSchedule final : ScheduleConfig {
  int64_t warmup = 4000;
  void fields(Fields& f) override;
  double factor(int64_t update, const Scores& scores) const override;
};

// width^-0.5 · min(update^-0.5, update · warmup^-1.5): Vaswani et al. 2017, eq. 3; often called
// noam.
struct VaswaniSchedule final : ScheduleConfig {
  int64_t width = 512;
  int64_t warmup = 4000;
  void fields(Fields& f) override;
  double factor(int64_t update, const Scores& scores) const override;
};

// Falls from 1 after the warm-up to `lowest` at update `updates`, and stays there.
struct FallingSchedule : ScheduleConfig {
  int64_t warmup = 0;
  int64_t updates = 100000;
  double lowest = 0;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  double factor(int64_t update, const Scores& scores) const final;
  std::optional<int64_t> constant_from() const final { return updates; }

 protected:
  // Falls from 1 to 0. over: fraction of the updates after the warm-up that are done.
  virtual double fall(double over) const = 0;
};

// Falls linearly.
struct LinearSchedule final : FallingSchedule {
  double fall(double over) const override { return 1 - over; }
};

// Falls by half a cosine: Loshchilov and Hutter 2017, eq. 5, without restarts.
struct CosineSchedule final : FallingSchedule {
  double fall(double over) const override;
};

// decay^((update − warmup) / every): multiplied by `decay` over each `every` updates; in steps with
// `staircase`.
struct ExponentialSchedule final : ScheduleConfig {
  int64_t warmup = 0;
  double decay = 0.5;
  int64_t every = 10000;
  bool staircase = false;
  void fields(Fields& f) override;
  double factor(int64_t update, const Scores& scores) const override;
};

// Multiplied by `decay` after each `patience` validations in a row without a new best score; never
// below `lowest`. If scores cannot be compared with earlier ones, the next score is the best so
// far, and the factor stays.
struct PlateauSchedule final : ScheduleConfig {
  double decay = 0.5;
  int64_t patience = 2;
  double lowest = 1e-3;
  int64_t warmup = 0;
  void fields(Fields& f) override;
  double factor(int64_t update, const Scores& scores) const override;
  bool reads_scores() const override { return true; }
};

}  // namespace heed
