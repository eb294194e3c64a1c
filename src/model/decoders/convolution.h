// A convolutional decoder with attention in every layer (Gehring et al. 2017, sections 3.2 to 3.4):
// each layer sees the last K positions. The query is d_i = W_d h_i + b_d + g_i, with the output h_i
// of the layer and the target embedding g_i; the context vector, times √m for m source positions to
// preserve its variance, is added to h_i. Dropout is also applied to h_i of the last layer (section
// 4.2); the authors' code applies it behind a first linear layer of the output, here the projection
// to tied embeddings. `weight_norm`: section 3.5.
#pragma once

#include "model/convolution_config.h"
#include "model/decoder.h"

namespace heed {

struct ConvolutionDecoderConfig final : DecoderConfig, ConvolutionSettings {
  std::optional<bool> normed_output;
  std::shared_ptr<AttentionConfig> attention;  // over the source, in every layer
  ConvolutionDecoderConfig();
  void fields(Fields& f) const override;
  int64_t hidden_width() const override { return width; }
  bool can_recompute() const override { return true; }
  SourceAttention source_attention(const DecoderDims& dims) const override;
  int64_t attentions_that_scale() const override { return attention->reads() ? layers : 0; }
  std::optional<double> output_norm() const override;
  void check(const DecoderDims& dims, Problems& problems) const override;
  std::shared_ptr<Decoder> build(const DecoderDims& dims) const override;
  AttentionDims cross_dims(const DecoderDims& dims) const;
};

}  // namespace heed
