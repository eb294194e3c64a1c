// Settings of the convolutional decoder (convolution.cpp).
#pragma once

#include <memory>
#include <optional>

#include "model/convolution_config.h"
#include "model/decoder_config.h"

namespace heed {

struct ConvolutionDecoderConfig final : DecoderConfig, ConvolutionSettings {
  std::optional<bool> normed_output;
  std::shared_ptr<AttentionConfig> attention;  // over the source, in every layer
  ConvolutionDecoderConfig();
  void fields(Fields& f) override;
  int64_t hidden_width(const DecoderDims&) const override { return width; }
  bool can_recompute() const override { return true; }
  SourceAttention source_attention(const DecoderDims& dims) const override;
  int64_t attentions_that_scale() const override { return attention->reads() ? layers : 0; }
  std::optional<double> output_norm() const override;
  void check(const DecoderDims& dims, Problems& problems) const override;
  void check_unread(Problems& problems) const override;
  AttentionDims cross_dims(const DecoderDims& dims) const;
};

}  // namespace heed
