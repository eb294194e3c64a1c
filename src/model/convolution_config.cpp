#include "model/convolution_config.h"

#include "nn/torch.h"

namespace heed {

void ConvolutionSettings::common_fields(Fields& f) {
  f.field("layers", layers, kPositive, "number of layers");
  f.field("width", width, kPositive, "width of the layers");
  f.field("kernel", kernel, kPositive, "kernel width of a layer, in positions");
  position_fields(f);
  f.field("dropout", dropout, kDropout,
          "dropout probability after embeddings and before each layer");
}

ConvolutionInput::ConvolutionInput(const ConvolutionSettings& settings, int64_t input)
    : dropout_(settings.dropout) {
  positions_ = register_module(
      "positions", std::make_shared<Positions>(settings.positions, input, settings.max_positions));
}

Tensor ConvolutionInput::forward(const Tensor& x, const Tensor& positions, const Pass& pass) {
  return dropout(positions_->add_to(x, positions), dropout_, pass);
}

}  // namespace heed
