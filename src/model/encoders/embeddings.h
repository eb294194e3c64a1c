// No network: what is read are the embedded pieces, with their positions. A bag of words where no
// position is added; of a document's sentences, under `hierarchical`, the memory of Sukhbaatar et al.
// 2015, whose table T of times is `positions: learned`.
#pragma once

#include "model/encoder.h"
#include "nn/positions.h"

namespace heed {

struct EmbeddingsEncoderConfig final : EncoderConfig, PositionSettings {
  EmbeddingsEncoderConfig() : PositionSettings("none") {}
  double dropout = 0;
  void fields(Fields& f) const override;
  SourceDims dims(int64_t input) const override;
  std::shared_ptr<Encoder> build(int64_t input, int64_t tags) const override;
};

}  // namespace heed
