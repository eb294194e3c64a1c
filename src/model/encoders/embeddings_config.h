// Settings of the encoder of embeddings only (embeddings.cpp).
#pragma once

#include <memory>
#include <optional>

#include "model/encoder_config.h"
#include "nn/attention/staged_config.h"
#include "nn/position_config.h"

namespace heed {

// `intra_attention:`, attention of the embeddings to each other.
struct IntraAttentionConfig final : Settings {
  int64_t hidden = 200, layers = 2;
  double dropout = 0;
  std::shared_ptr<AttentionConfig> attention;
  IntraAttentionConfig();  // dot, with a distance_bias
  void fields(Fields& f) override;
  // Dimensions of the attention between embeddings of this width.
  AttentionDims attention_dims(int64_t width) const;
};

struct EmbeddingsEncoderConfig final : EncoderConfig, PositionSettings {
  EmbeddingsEncoderConfig() : PositionSettings("none") {}
  double dropout = 0;
  bool from_end = false;
  std::optional<IntraAttentionConfig> intra_attention;
  void fields(Fields& f) override;
  void check(int64_t input, Problems& problems) const override;
  SourceDims dims(int64_t input) const override;
  void check_causal(Problems& problems) const override;
};

}  // namespace heed
