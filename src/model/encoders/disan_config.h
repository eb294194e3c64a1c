// Settings of the encoder of directional self-attention (disan.cpp).
#pragma once

#include <optional>
#include <vector>

#include "model/encoder_config.h"
#include "nn/attention/terms/directional_config.h"

namespace heed {

struct DisanEncoderConfig final : EncoderConfig {
  enum class Fusion { kGate, kProjected, kNormalized };
  enum class Directions { kBoth, kNone };
  // The direction of a block; nullopt: it has none.
  using BlockDirection = std::optional<DirectionalConfig::Direction>;
  int64_t layers = 1;
  int64_t width = 512;  // of the output; half of it a direction
  Directions directions = Directions::kBoth;
  bool input_layer = true;
  Fusion fusion = Fusion::kGate;
  int64_t feed_forward = 0;  // 0: none
  double dropout = 0.1;
  std::shared_ptr<AttentionConfig> self_attention;  // the direction is added to its terms
  DisanEncoderConfig();
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  void check(int64_t input, Problems& problems) const override;
  SourceDims dims(int64_t input) const override;

  // The blocks of a layer, whose outputs are concatenated.
  std::vector<BlockDirection> blocks() const;
  int64_t block_width() const { return width / static_cast<int64_t>(blocks().size()); }
  // The attention of a block: `self_attention` with the direction as its first term.
  std::shared_ptr<AttentionConfig> one_way(BlockDirection direction) const;
  AttentionDims block_dims() const;
};

}  // namespace heed
