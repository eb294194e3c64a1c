// A convolutional encoder (Gehring et al. 2017, section 3). Attention compares queries with z_j and
// reads z_j + e_j, the last layer's output and the embedding with its position, both as wide as the
// embedding. What comes back through z_j from all attentions is scaled (section 3.5 there; by half the
// number of attentions, as in the authors' code), what comes back through e_j is not.
#pragma once

#include "model/convolution_config.h"
#include "model/encoder.h"

namespace heed {

struct ConvolutionEncoderConfig final : EncoderConfig, ConvolutionSettings {
  bool scale_gradients = true;
  void fields(Fields& f) const override;
  void validate(Problems& problems) const override;
  SourceDims dims(int64_t input) const override;
  std::shared_ptr<Encoder> build(int64_t input, int64_t tags) const override;
};

}  // namespace heed
