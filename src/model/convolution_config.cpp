#include "model/convolution_config.h"

#include <cmath>

#include "config/sizes.h"

namespace heed {

void ConvolutionSettings::common_fields(Fields& f) {
  f.field("layers", layers, kLayers, "number of layers");
  f.field("width", width, kWidths, "width of the layers");
  f.field("kernel", kernel, kLengths, "kernel width of a layer, in positions");
  position_fields(f);
  f.field("dropout", dropout, kDropout,
          "dropout probability after embeddings, before each layer and, in a decoder, before the "
          "output layer");
  f.field("weight_norm", weight_norm,
          "weight normalization of the linear layers too (Gehring 2017)");
  f.may_change(ChangeAt::kPhase, {"dropout"});
}

double ConvolutionSettings::length_behind_dropout() const { return std::sqrt(1 - dropout); }

std::optional<double> ConvolutionSettings::norm_behind_dropout() const {
  return weight_norm ? std::optional(length_behind_dropout()) : std::nullopt;
}

std::optional<double> ConvolutionSettings::norm() const {
  return weight_norm ? std::optional(1.0) : std::nullopt;
}

}  // namespace heed
