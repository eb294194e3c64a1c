// No network: the decoder attends to the embeddings, with position encodings. Without these it is a
// bag of words; as sentence encoder of `hierarchical` it is the memory of Sukhbaatar et al. 2015,
// whose temporal encoding T is `positions: learned`.
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
