// Drawing the next token from a model's distribution.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heed {

struct SamplingOptions {
  double temperature = 1;  // T: probabilities p^(1/T)
  int64_t top_k = 0;       // of the k most probable tokens only (Fan et al. 2018); 0: of all
  double top_p =
      1;  // of the fewest most probable tokens of this probability (Holtzman et al. 2020)
  uint64_t seed = 1;
};

struct DrawnToken {
  int32_t id;
  double log_probability;  // of the model, whatever the temperature
};

// uniform: in [0, 1). Tokens of -∞ are never drawn; one at least has another log-probability.
DrawnToken draw_token(std::span<const float> log_probabilities, const SamplingOptions& config,
                      double uniform);

}  // namespace heed
