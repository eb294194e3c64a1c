// Settings of the encoder of directional self-attention (disan.cpp).
#pragma once

#include "model/encoder_config.h"
#include "nn/attention/terms/directional_config.h"

namespace heed {

struct DisanEncoderConfig final : EncoderConfig {
  enum class Fusion { kGate, kProjected };
  int64_t layers = 1;
  int64_t width = 512;  // of the output; half of it a direction
  Fusion fusion = Fusion::kGate;
  double dropout = 0.1;
  std::shared_ptr<AttentionConfig> self_attention;  // the direction is added to its terms
  DisanEncoderConfig();
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  void check(int64_t input, Problems& problems) const override;
  SourceDims dims(int64_t input) const override;

  // The attention of a block: `self_attention` with the direction as its first term.
  std::shared_ptr<AttentionConfig> one_way(DirectionalConfig::Direction direction) const;
  AttentionDims block_dims() const;
};

}  // namespace heed
