#include "train/train_phase.h"

#include <algorithm>

namespace heed {

size_t phase_of(const std::vector<TrainPhase>& phases, int64_t update) {
  return static_cast<size_t>(std::ranges::count_if(
      phases, [update](const TrainPhase& phase) { return phase.after < update; }));
}

int64_t schedule_begin(const std::vector<TrainPhase>& phases, size_t phase) {
  for (; phase > 0; --phase) {
    if (phases[phase - 1].resets_schedule) return phases[phase - 1].after;
  }
  return 0;
}

BatchPosition next_epoch(const BatchPosition& position) {
  return {.epoch = position.epoch + (position.batch > 0 ? 1 : 0),
          .batch = 0,
          .number = position.number};
}

}  // namespace heed
