// An encoder of gated convolutions (model/encoders/convolution.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/convolution_step.h"
#include "inference/positions.h"
#include "inference/source_encoder.h"

namespace heed {

class ConvolutionEncoder final : public SourceEncoder {
 public:
  // name: of the stack of its layers
  ConvolutionEncoder(const ConvolutionEncoderShape& shape, const std::string& name,
                     const Packer& packer, const Kernels& set);
  Encoded encode(const SourceTokens& tokens, AlignedFloats embedded) const override;

 private:
  // x [tokens,W] -> windows [tokens,W,K], with zeros before and behind each sentence
  void make_windows(const std::vector<int64_t>& begins, const AlignedFloats& x,
                    AlignedFloats& windows) const;

  ConvolutionEncoderShape shape_;
  const Kernels& set_;
  PositionTable positions_;
  PackedMatrix to_width_, to_embedding_;
  std::vector<ConvolutionStep> layers_;
};

}  // namespace heed
