#include "train/schedule_config.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "config/sizes.h"

namespace heed {

namespace {

constexpr const char* kWarmupHelp =
    "warm-up: updates in which the learning rate rises linearly from 0";

constexpr Peers kWarmupPeers{
    .joeynmt = "learning_rate_warmup", .opennmt = "warmup_steps", .marian = "lr-warmup"};
constexpr Peers kDecayPeers{
    .joeynmt = "decrease_factor", .opennmt = "learning_rate_decay", .marian = "lr-decay"};

constexpr const char* kLowestHelp = "minimum, as a fraction of the initial learning rate";

double warm(int64_t update, int64_t warmup) {
  return update < warmup ? static_cast<double>(update) / static_cast<double>(warmup) : 1.0;
}

}  // namespace

void ConstantSchedule::fields(Fields& f) {
  f.field("warmup", warmup, kNotNegative, kWarmupHelp);
  f.peers("warmup", kWarmupPeers);
}

double ConstantSchedule::factor(int64_t update, const Scores& scores) const {
  return warm(update, warmup);
}

void InverseSqrtSchedule::fields(Fields& f) {
  f.field("warmup", warmup, kPositive, kWarmupHelp);
  f.peers("warmup", kWarmupPeers);
}

double InverseSqrtSchedule::factor(int64_t update, const Scores& scores) const {
  if (update < warmup) return warm(update, warmup);
  return std::sqrt(static_cast<double>(warmup) / static_cast<double>(update));
}

void VaswaniSchedule::fields(Fields& f) {
  f.field("width", width, kWidths, "model width that scales the learning rate");
  f.field("warmup", warmup, kPositive, kWarmupHelp);
  f.peers("warmup", kWarmupPeers);
}

double VaswaniSchedule::factor(int64_t update, const Scores& scores) const {
  const auto n = static_cast<double>(update), w = static_cast<double>(warmup);
  return std::min(1 / std::sqrt(n), n / (w * std::sqrt(w))) / std::sqrt(static_cast<double>(width));
}

void FallingSchedule::fields(Fields& f) {
  f.field("warmup", warmup, kNotNegative, kWarmupHelp);
  f.peers("warmup", kWarmupPeers);
  f.field("updates", updates, kPositive,
          "update from which on the learning rate is lowest, usually train.max_updates");
  f.field("lowest", lowest, kFraction, kLowestHelp);
  f.peers("lowest", {.joeynmt = "learning_rate_min"});
}

void FallingSchedule::validate(Problems& problems) const {
  if (updates <= warmup)
    problems.add("updates", fmt::format("is {}, expected more than `warmup`, {}", updates, warmup));
}

double FallingSchedule::factor(int64_t update, const Scores& scores) const {
  if (update < warmup) return warm(update, warmup);
  const double over = static_cast<double>(update - warmup) / static_cast<double>(updates - warmup);
  return lowest + (1 - lowest) * fall(std::min(over, 1.0));
}

double CosineSchedule::fall(double over) const {
  return (1 + std::cos(std::numbers::pi * over)) / 2;
}

void ExponentialSchedule::fields(Fields& f) {
  f.field("warmup", warmup, kNotNegative, kWarmupHelp);
  f.peers("warmup", kWarmupPeers);
  f.field("decay", decay, {0, 1, true, true}, "factor over each `every` updates");
  f.field("every", every, kPositive, "updates over which the learning rate falls by `decay`");
  f.peers("decay", kDecayPeers);
  f.peers("every", {.opennmt = "decay_steps"});
  f.field("staircase", staircase, "reduce at once after each `every` updates, not gradually");
}

double ExponentialSchedule::factor(int64_t update, const Scores& scores) const {
  if (update < warmup) return warm(update, warmup);
  const double periods = static_cast<double>(update - warmup) / static_cast<double>(every);
  return std::pow(decay, staircase ? std::floor(periods) : periods);
}

void PlateauSchedule::fields(Fields& f) {
  f.field("decay", decay, {0, 1, true, true}, "factor of each reduction");
  f.field("patience", patience, kPositive,
          "validations in a row without improvement before a reduction");
  f.peers("decay", kDecayPeers);
  f.peers("patience", {.joeynmt = "patience"});
  f.field("lowest", lowest, kFraction, kLowestHelp);
  f.peers("lowest", {.joeynmt = "learning_rate_min"});
  f.field("warmup", warmup, kNotNegative, kWarmupHelp);
  f.peers("warmup", kWarmupPeers);
}

double PlateauSchedule::factor(int64_t update, const Scores& scores) const {
  double factor = 1;
  double best = -INFINITY;
  int64_t waited = 0;
  for (const ComparedScore& score : scores) {
    if (score.begins_anew || score.value > best) {
      best = score.value;
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
      kind<LinearSchedule, ScheduleConfig>("linear",
                                           "linear decay from the end of the warm-up to an update"),
      kind<CosineSchedule, ScheduleConfig>(
          "cosine",
          "cosine decay from the end of the warm-up to an update (Loshchilov and Hutter 2017)"),
      kind<ExponentialSchedule, ScheduleConfig>("exponential",
                                                "exponential decay after the warm-up"),
      kind<PlateauSchedule, ScheduleConfig>(
          "plateau", "reduce the learning rate when the validation metric stops improving"),
  };
  return kinds;
}

}  // namespace heed
