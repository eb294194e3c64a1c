// Settings common to the encoder and the decoder of a convolutional model (Gehring et al. 2017).
#pragma once

#include "nn/position_config.h"

namespace heed {

struct ConvolutionSettings : PositionSettings {
  ConvolutionSettings() : PositionSettings("learned") {}
  int64_t layers = 4;
  int64_t width = 512;
  int64_t kernel = 3;
  double dropout = 0.1;
  bool weight_norm = true;
  void common_fields(Fields& f);
  // Initial row norms of linear layers (NormedWeight), with and without dropout on their input:
  // those of normal numbers with variance (1 - dropout) / I, which preserve the variance.
  double length_behind_dropout() const;
  std::optional<double> norm_behind_dropout() const;
  std::optional<double> norm() const;
};

}  // namespace heed
