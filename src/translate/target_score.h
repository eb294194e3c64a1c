// The probability that a model gives to a target.
#pragma once

#include <vector>

namespace heed {

struct TargetScore {
  double log_probability = 0;             // of the target and kEnd, nats
  std::vector<double> log_probabilities;  // of each of its tokens and of kEnd
};

}  // namespace heed
