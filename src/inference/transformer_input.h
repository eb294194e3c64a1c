// Input of the first layer of a Transformer: embeddings times √E, projected to W, plus position
// encodings, normalized with `embedding_norm`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/encoder_shape.h"
#include "inference/packer.h"
#include "inference/positions.h"
#include "inference/sublayers.h"

namespace heed {

class InputLayer {
 public:
  // stack: name of the encoder or decoder
  InputLayer(const StackShape& shape, int64_t embedding_width, const std::string& stack,
             const Packer& packer);

  // embedded [tokens,E], overwritten; to: [tokens,W]
  void read(AlignedFloats& embedded, const std::vector<int64_t>& positions, AlignedFloats& to,
            const Kernels& set) const;

 private:
  int64_t width_;  // W
  float scale_ = 1;
  PackedMatrix to_width_;  // no outputs if E = W
  PositionTable positions_;
  NormStep norm_;  // none without `embedding_norm`
};

}  // namespace heed
