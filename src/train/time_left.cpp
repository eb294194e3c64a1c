#include "train/time_left.h"

#include <algorithm>

namespace heed {

std::optional<double> time_left(const TrainConfig& config, const Progress& progress,
                                int64_t examples_per_epoch) {
  std::optional<double> left;
  const auto take = [&left](double seconds) {
    left = std::max(0.0, left ? std::min(*left, seconds) : seconds);
  };
  if (config.max_time) take(*config.max_time - progress.seconds);
  if (config.max_updates && progress.update > 0) {
    take(static_cast<double>(*config.max_updates - progress.update) * progress.seconds /
         static_cast<double>(progress.update));
  }
  if (config.max_epochs && progress.examples > 0 && examples_per_epoch > 0) {
    take((static_cast<double>(*config.max_epochs) * static_cast<double>(examples_per_epoch) -
          static_cast<double>(progress.examples)) *
         progress.seconds / static_cast<double>(progress.examples));
  }
  return left;
}

std::optional<double> fraction_done(const TrainConfig& config, const Progress& progress,
                                    int64_t examples_per_epoch) {
  std::optional<double> done;
  const auto take = [&done](auto reached, auto limit) {
    const double fraction = static_cast<double>(reached) / static_cast<double>(limit);
    done = std::min(1.0, std::max(done.value_or(0), fraction));
  };
  if (config.max_updates) take(progress.update, *config.max_updates);
  if (config.max_epochs && examples_per_epoch > 0)
    take(progress.examples, *config.max_epochs * examples_per_epoch);
  if (config.max_time) take(progress.seconds, *config.max_time);
  return done;
}

}  // namespace heed
