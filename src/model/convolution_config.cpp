#include "model/convolution_config.h"

#include "nn/torch.h"

#include "config/older.h"
#include "config/sizes.h"

namespace heed {

void ConvolutionSettings::common_fields(Fields& f) {
  f.field("layers", layers, kLayers, "number of layers");
  f.field("width", width, kWidths, "width of the layers");
  f.field("kernel", kernel, kLengths, "kernel width of a layer, in positions");
  position_fields(f);
  f.field("dropout", dropout, kDropout,
          "dropout probability after embeddings and before each layer");
  if (predates(f, "weight_norm")) weight_norm = false;
  f.field("weight_norm", weight_norm,
          "weight normalization of the linear layers too, but not of the output layer "
          "(Gehring 2017)");
}

ConvolutionInput::ConvolutionInput(const ConvolutionSettings& settings, int64_t input)
    : dropout_(settings.dropout) {
  positions_ = register_module("positions", settings.positions->build(input));
}

Tensor ConvolutionInput::forward(const Tensor& x, const Tensor& positions, const Pass& pass) {
  return dropout(positions_->add_to(x, positions), dropout_, pass);
}

}  // namespace heed
