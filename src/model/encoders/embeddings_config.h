// Settings of the encoder of embeddings only (embeddings.cpp).
#pragma once

#include "model/encoder_config.h"
#include "nn/position_config.h"

namespace heed {

struct EmbeddingsEncoderConfig final : EncoderConfig, PositionSettings {
  EmbeddingsEncoderConfig() : PositionSettings("none") {}
  double dropout = 0;
  bool from_end = false;
  void fields(Fields& f) override;
  SourceDims dims(int64_t input) const override;
};

}  // namespace heed
