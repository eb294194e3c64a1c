#include "train/scheduled_sampling_config.h"

#include <algorithm>

#include "config/sizes.h"

namespace heed {

void ScheduledSamplingConfig::fields(Fields& f) {
  f.field(
      "probability", probability, kFraction,
      "probability that an input token of the decoder is the model's own at the end of the rise");
  f.field("after", after, kNotNegative,
          "updates of the run before the first, those before a phase included");
  f.field("over", over, kPositive, "updates over which the probability rises linearly from 0");
}

double ScheduledSamplingConfig::at(int64_t update) const {
  const double risen = static_cast<double>(update - after) / static_cast<double>(over);
  return probability * std::clamp(risen, 0.0, 1.0);
}

}  // namespace heed
