#include "train/schedule.h"

#include <algorithm>
#include <cmath>

#include "config/sizes.h"

namespace heed {

namespace {

constexpr const char* kWarmupHelp =
    "warm-up: updates in which the learning rate rises linearly from 0";

double warm(int64_t update, int64_t warmup) {
  return update < warmup ? static_cast<double>(update) / static_cast<double>(warmup) : 1.0;
}

}  // namespace

void ConstantSchedule::fields(Fields& f) const {
  f.field("warmup", warmup, kNotNegative, kWarmupHelp);
}

double ConstantSchedule::factor(int64_t update, const Scores& scores) const {
  return warm(update, warmup);
}

void InverseSqrtSchedule::fields(Fields& f) const {
  f.field("warmup", warmup, kPositive, kWarmupHelp);
}

double InverseSqrtSchedule::factor(int64_t update, const Scores& scores) const {
  if (update < warmup) return warm(update, warmup);
  return std::sqrt(static_cast<double>(warmup) / static_cast<double>(update));
}

void VaswaniSchedule::fields(Fields& f) const {
  f.field("width", width, kWidths, "model width that scales the learning rate");
  f.field("warmup", warmup, kPositive, kWarmupHelp);
}

double VaswaniSchedule::factor(int64_t update, const Scores& scores) const {
  const auto n = static_cast<double>(update), w = static_cast<double>(warmup);
  return std::min(1 / std::sqrt(n), n / (w * std::sqrt(w))) / std::sqrt(static_cast<double>(width));
}

void PlateauSchedule::fields(Fields& f) const {
  f.field("decay", decay, {0, 1, true, true}, "factor of each reduction");
  f.field("patience", patience, kPositive,
          "validations in a row without improvement before a reduction");
  f.field("lowest", lowest, kFraction, "minimum, as a fraction of the initial learning rate");
  f.field("warmup", warmup, kNotNegative, kWarmupHelp);
}

double PlateauSchedule::factor(int64_t update, const Scores& scores) const {
  double factor = 1;
  double best = -INFINITY;
  int64_t waited = 0;
  for (const double score : scores) {
    if (score > best) {
      best = score;
      waited = 0;
    } else if (++waited == patience) {
      factor *= decay;
      waited = 0;
    }
  }
  return std::max(factor, lowest) * warm(update, warmup);
}

const Registry<ScheduleConfig>& schedules() {
  static const Registry<ScheduleConfig> kinds{
      kind<ConstantSchedule, ScheduleConfig>("constant", "constant learning rate"),
      kind<InverseSqrtSchedule, ScheduleConfig>(
          "inverse_sqrt", "inverse square root of the update after the warm-up"),
      kind<VaswaniSchedule, ScheduleConfig>(
          "vaswani",
          "the schedule of Vaswani et al. 2017: inverse_sqrt scaled by the model width; "
          "optimizer.rate is a factor near 1 or 2"),
      kind<PlateauSchedule, ScheduleConfig>(
          "plateau", "reduce the learning rate when the validation metric stops improving"),
  };
  return kinds;
}

}  // namespace heed
