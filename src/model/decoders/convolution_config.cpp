#include "model/decoders/convolution_config.h"

#include "nn/attention/staged_config.h"

namespace heed {

ConvolutionDecoderConfig::ConvolutionDecoderConfig() : attention(StagedConfig::with("dot", 1)) {}

void ConvolutionDecoderConfig::fields(Fields& f) {
  common_fields(f);
  f.field(
      "normed_output", normed_output,
      "weight normalization of the output layer, or of the projection to tied embeddings; ~: the "
      "value of weight_norm");
  f.one_of("attention", attention, attentions(), "attention over the source, in every layer");
}

std::optional<double> ConvolutionDecoderConfig::output_norm() const {
  return normed_output.value_or(weight_norm) ? std::optional(length_behind_dropout())
                                             : std::nullopt;
}

AttentionDims ConvolutionDecoderConfig::cross_dims(const DecoderDims& dims) const {
  return heed::cross_dims(dims, dims.input, 0);
}

void ConvolutionDecoderConfig::check(const DecoderDims& dims, Problems& problems) const {
  ProblemsAt at_cross(problems, "attention");
  check_cross(*attention, cross_dims(dims), at_cross);
}

void ConvolutionDecoderConfig::check_unread(Problems& problems) const {
  ProblemsAt at_cross(problems, "attention");
  heed::check_unread(*attention, at_cross);
}

SourceAttention ConvolutionDecoderConfig::source_attention(const DecoderDims& dims) const {
  return source_attention_of(*attention, cross_dims(dims));
}

namespace kinds {
Kind<DecoderConfig> convolution_decoder() {
  return kind<ConvolutionDecoderConfig, DecoderConfig>(
      "convolution", "gated convolutions with attention in every layer (Gehring 2017)");
}
}  // namespace kinds

}  // namespace heed
