// Settings of scheduled sampling (scheduled_sampling.h).
#pragma once

#include <cstdint>

#include "config/fields.h"

namespace heed {

struct ScheduledSamplingConfig final : Settings {
  double probability = 0.25;
  int64_t after = 0;
  int64_t over = 10000;
  void fields(Fields& f) override;
  // Probability that an input is predicted by the model: rises linearly from 0 after update `after`
  // to `probability` over `over` updates.
  double at(int64_t update) const;
};

}  // namespace heed
