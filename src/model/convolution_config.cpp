#include "model/convolution_config.h"

#include <cmath>

#include "nn/torch.h"

#include "config/older.h"
#include "config/sizes.h"

namespace heed {

void ConvolutionSettings::common_fields(Fields& f) const {
  f.field("layers", layers, kLayers, "number of layers");
  f.field("width", width, kWidths, "width of the layers");
  f.field("kernel", kernel, kLengths, "kernel width of a layer, in positions");
  position_fields(f);
  f.field("dropout", dropout, kDropout,
          "dropout probability after embeddings, before each layer and, in a decoder, before the "
          "output layer");
  earlier(f, "weight_norm", weight_norm, false);
  f.field("weight_norm", weight_norm,
          "weight normalization of the linear layers too (Gehring 2017)");
}

double ConvolutionSettings::length_behind_dropout() const { return std::sqrt(1 - dropout); }

std::optional<double> ConvolutionSettings::norm_behind_dropout() const {
  return weight_norm ? std::optional(length_behind_dropout()) : std::nullopt;
}

std::optional<double> ConvolutionSettings::norm() const {
  return weight_norm ? std::optional(1.0) : std::nullopt;
}

ConvolutionInput::ConvolutionInput(const ConvolutionSettings& settings, int64_t input)
    : dropout_(settings.dropout) {
  positions_ = register_module("positions", settings.positions->build(input));
}

Tensor ConvolutionInput::forward(const Tensor& x, const Tensor& positions, const Pass& pass) {
  return dropout(positions_->add_to(x, positions), dropout_, pass);
}

}  // namespace heed
