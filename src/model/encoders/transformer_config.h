// Settings of the encoder of a Transformer (transformer.cpp).
#pragma once

#include "model/encoder_config.h"
#include "model/transformer_config.h"

namespace heed {

struct TransformerEncoderConfig final : EncoderConfig, TransformerSettings {
  void fields(Fields& f) override;
  bool can_recompute() const override { return true; }
  void check(int64_t input, Problems& problems) const override;
  SourceDims dims(int64_t input) const override;
  void check_causal(Problems& problems) const override;
};

}  // namespace heed
