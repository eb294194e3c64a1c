// Constants of DeepNorm (Wang et al. 2022): residual connections LayerNorm(α x + f(x)), where the
// initial weights of f are multiplied by β. Both follow from the depth of the model (figure 2).
#pragma once

#include <cstdint>

namespace heed {

struct DeepNorm {
  double alpha = 1, beta = 1;

  // A stack with K residual connections, α = K^(1/4) and β = (4K)^(-1/4): K is 2N for an encoder of N
  // layers whose decoder is not a Transformer, 3M for a decoder of M layers, 2M without a source.
  static DeepNorm of_stack(int64_t connections);
  // An encoder of N layers that M layers of a Transformer decoder read: α = 0.81 (N⁴ M)^(1/16),
  // β = 0.87 (N⁴ M)^(-1/16).
  static DeepNorm of_encoder(int64_t layers, int64_t decoder_layers);
};

}  // namespace heed
