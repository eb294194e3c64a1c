#include "nn/deep_norm_spec.h"

#include <cmath>

namespace heed {

DeepNorm DeepNorm::of_stack(int64_t connections) {
  const auto k = static_cast<double>(connections);
  return {.alpha = std::pow(k, 0.25), .beta = std::pow(4 * k, -0.25)};
}

DeepNorm DeepNorm::of_encoder(int64_t layers, int64_t decoder_layers) {
  const double depth = std::pow(
      std::pow(static_cast<double>(layers), 4) * static_cast<double>(decoder_layers), 1.0 / 16);
  return {.alpha = 0.81 * depth, .beta = 0.87 / depth};
}

}  // namespace heed
