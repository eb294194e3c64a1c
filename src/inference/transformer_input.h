// Input of the first layer of a Transformer: embeddings times √E, projected to W, plus position
// encodings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/sublayers.h"
#include "inference/transformer_shape.h"
#include "inference/vocabulary.h"

namespace heed {

class InputLayer {
 public:
  // stack: name of the encoder or decoder.  embedding [V,E]
  InputLayer(const StackShape& shape, SharedFloats embedding, int64_t embedding_width,
             const std::string& stack, const Packer& packer);

  // to: [tokens,W]
  void embed(const std::vector<int32_t>& tokens, const std::vector<int64_t>& positions,
             AlignedFloats& to, Workspace& room) const;

 private:
  SharedFloats embedding_;           // [V,E]
  int64_t embedding_width_, width_;  // E, W
  float scale_ = 1;
  PackedMatrix to_width_;  // no outputs if E = W
  PositionKind positions_;
  SinusoidLayout layout_;
  std::vector<float> table_;  // [P,W] of positions
};

}  // namespace heed
