#include "train/schedule.h"

#include "config/sizes.h"

#include <algorithm>
#include <cmath>

namespace heed {

namespace {

constexpr const char* kWarmupHelp = "updates over which the rate rises linearly from 0";

double warm(int64_t update, int64_t warmup) {
  return update < warmup ? static_cast<double>(update) / static_cast<double>(warmup) : 1.0;
}

}  // namespace

void ConstantSchedule::fields(Fields& f) { f.field("warmup", warmup, kNotNegative, kWarmupHelp); }

double ConstantSchedule::factor(int64_t update, const Scores& scores) const {
  return warm(update, warmup);
}

void InverseSqrtSchedule::fields(Fields& f) { f.field("warmup", warmup, kPositive, kWarmupHelp); }

double InverseSqrtSchedule::factor(int64_t update, const Scores& scores) const {
  if (update < warmup) return warm(update, warmup);
  return std::sqrt(static_cast<double>(warmup) / static_cast<double>(update));
}

void VaswaniSchedule::fields(Fields& f) {
  f.field("width", width, kWidths, "width of the model that the rate is scaled by");
  f.field("warmup", warmup, kPositive, kWarmupHelp);
}

double VaswaniSchedule::factor(int64_t update, const Scores& scores) const {
  const auto n = static_cast<double>(update), w = static_cast<double>(warmup);
  return std::min(1 / std::sqrt(n), n / (w * std::sqrt(w))) / std::sqrt(static_cast<double>(width));
}

void PlateauSchedule::fields(Fields& f) {
  f.field("decay", decay, {0, 1, true, true}, "what the rate is multiplied by on a plateau");
  f.field("patience", patience, kPositive,
          "validations in a row without a new best before the rate falls");
  f.field("lowest", lowest, kFraction, "the rate never falls below this share of itself");
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
      kind<ConstantSchedule, ScheduleConfig>("constant", "the same rate throughout"),
      kind<InverseSqrtSchedule, ScheduleConfig>(
          "inverse_sqrt", "falls with the square root of the updates after the warm-up"),
      kind<VaswaniSchedule, ScheduleConfig>(
          "vaswani",
          "inverse_sqrt scaled by the width (Vaswani et al. 2017): rate is a factor near 1 or 2"),
      kind<PlateauSchedule, ScheduleConfig>("plateau",
                                            "falls when validation no longer gets better"),
  };
  return kinds;
}

}  // namespace heed
