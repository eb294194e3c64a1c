// The encoder of a Transformer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/multi_head_attention.h"
#include "inference/source_encoder.h"
#include "inference/sublayers.h"
#include "inference/transformer_input.h"

namespace heed {

struct EncoderLayerWeights {
  SelfAttention self;
  ResidualStep around_self;
  FeedForwardStep feed_forward;
  ResidualStep around_feed_forward;
};

class TransformerEncoder final : public SourceEncoder {
 public:
  // input: width E of the embedded tokens; name: of the stack
  TransformerEncoder(const StackShape& shape, int64_t input, const std::string& name,
                     const Packer& packer, const Kernels& set);
  Encoded encode(const SourceTokens& tokens, AlignedFloats embedded) const override;

 private:
  const Kernels& set_;
  int64_t width_;  // W
  InputLayer input_;
  std::vector<EncoderLayerWeights> layers_;
  NormStep final_norm_;  // none with norm behind the sublayers
};

}  // namespace heed
