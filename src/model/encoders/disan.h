// Directional self-attention (Shen et al. 2018, DiSAN): each layer has a forward and a backward
// block, whose outputs are concatenated. A block is
//   h = ELU(W x + b),  s_i = attention over the keys before or after i,  u = fusion of s and h.
// Fusions of s and h:
//   gate        F = sigmoid(W1 s + W2 h + b),  u = F ⊙ h + (1 - F) ⊙ s        (equations 20, 21)
//   projected   s' = W1 s + b1, h' = W2 h + b2, F = sigmoid(s' + h' + b),
//               u = F ⊙ s' + (1 - F) ⊙ h'        (Im and Cho 2017, with a `distance` in the terms)
// Positions without such keys have s = 0.
#pragma once

#include "model/encoder.h"
#include "nn/attention/terms/directional.h"

namespace heed {

struct DisanEncoderConfig final : EncoderConfig {
  enum class Fusion { kGate, kProjected };
  int64_t layers = 1;
  int64_t width = 512;  // of the output; half of it a direction
  Fusion fusion = Fusion::kGate;
  double dropout = 0.1;
  std::shared_ptr<AttentionConfig> self_attention;  // the direction is added to its terms
  DisanEncoderConfig();
  void fields(Fields& f) const override;
  void validate(Problems& problems) const override;
  void check(int64_t input, Problems& problems) const override;
  SourceDims dims(int64_t input) const override;
  std::shared_ptr<Encoder> build(int64_t input, int64_t tags) const override;

  // The attention of a block: `self_attention` with the direction as its first term.
  std::shared_ptr<AttentionConfig> one_way(DirectionalConfig::Direction direction) const;
  AttentionDims block_dims() const;
};

}  // namespace heed
