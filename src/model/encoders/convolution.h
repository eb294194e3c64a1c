// A convolutional encoder (Gehring et al. 2017, section 3). The keys of attention are z_j, its
// values z_j + e_j: the output of the last layer and the embedding with its position, both of the
// width of the embedding. The gradient of z_j from all attentions is scaled (section 3.5; by half
// the number of attentions, as in the authors' code), that of e_j is not.
#pragma once

#include "model/convolution_config.h"
#include "model/encoder.h"

namespace heed {

struct ConvolutionEncoderConfig final : EncoderConfig, ConvolutionSettings {
  bool scale_gradients = true;
  void fields(Fields& f) const override;
  bool can_recompute() const override { return true; }
  void validate(Problems& problems) const override;
  SourceDims dims(int64_t input) const override;
  std::shared_ptr<Encoder> build(int64_t input, int64_t tags) const override;
};

}  // namespace heed
