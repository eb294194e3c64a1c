// Settings of the convolutional encoder (convolution.cpp).
#pragma once

#include "model/convolution_config.h"
#include "model/encoder_config.h"

namespace heed {

struct ConvolutionEncoderConfig final : EncoderConfig, ConvolutionSettings {
  bool scale_gradients = true;
  void fields(Fields& f) override;
  bool can_recompute() const override { return true; }
  void validate(Problems& problems) const override;
  SourceDims dims(int64_t input) const override;
};

}  // namespace heed
