// Settings of the encoder of graph attention (graph.cpp).
#pragma once

#include "model/encoder_config.h"

namespace heed {

struct GraphEncoderConfig final : EncoderConfig {
  int64_t layers = 2;
  int64_t width = 64;  // of the states
  bool average = false;
  double dropout = 0;
  std::shared_ptr<AttentionConfig> self_attention;  // of W h
  GraphEncoderConfig();
  void fields(Fields& f) override;
  void check(int64_t input, Problems& problems) const override;
  SourceDims dims(int64_t input) const override;

  // True if the heads of this layer are averaged.
  bool averages(int64_t layer) const { return average && layer == layers - 1; }
  int64_t heads() const;
  // Dimensions of the attention of a layer. The width is that of W h.
  AttentionDims attention_dims(int64_t layer) const;
};

}  // namespace heed
