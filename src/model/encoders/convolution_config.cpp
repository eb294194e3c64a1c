#include "model/encoders/convolution_config.h"

namespace heed {

void ConvolutionEncoderConfig::fields(Fields& f) {
  common_fields(f);
  f.field("scale_gradients", scale_gradients,
          "divides the gradient of the encoder by 2 × the attention layers of the decoder (Gehring "
          "2017)");
}

void ConvolutionEncoderConfig::validate(Problems& problems) const {
  if (kernel % 2 == 0)
    problems.add("kernel", fmt::format("{} is even, expected an odd number", kernel));
}

SourceDims ConvolutionEncoderConfig::dims(int64_t input) const {
  return {.source = {.key = input, .value = input}, .cell = "", .layers = 1, .final_width = input};
}

namespace kinds {
Kind<EncoderConfig> convolution_encoder() {
  return kind<ConvolutionEncoderConfig, EncoderConfig>("convolution",
                                                       "gated convolutions (Gehring 2017)");
}
}  // namespace kinds

}  // namespace heed
