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

}  // namespace heed
