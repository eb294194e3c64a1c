// A self-attention encoder (Vaswani et al. 2017, section 3.1).
#pragma once

#include "model/encoder.h"
#include "model/transformer_config.h"

namespace heed {

struct TransformerEncoderConfig final : EncoderConfig, TransformerSettings {
  void fields(Fields& f) const override { common_fields(f); }
  bool can_recompute() const override { return true; }
  void check(int64_t input, Problems& problems) const override;
  SourceDims dims(int64_t input) const override;
  std::shared_ptr<Encoder> build(int64_t input, int64_t tags) const override;
};

}  // namespace heed
