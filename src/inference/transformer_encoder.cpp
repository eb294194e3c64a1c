#include "inference/transformer_encoder.h"

#include <utility>

#include "model/parameter_names_spec.h"

namespace heed {

TransformerEncoder::TransformerEncoder(const StackShape& shape, int64_t input,
                                       const std::string& name, const Packer& packer,
                                       const Kernels& set)
    : set_(set), width_(shape.width), input_(shape, input, name, packer) {
  for (int64_t i = 0; i < shape.layers(); ++i) {
    const names::TransformerLayerNames layer(names::layer(name, i));
    const auto& self = std::get<MultiHeadShape>(shape.self_attention[i]);
    layers_.push_back(
        {SelfAttention(self, layer.self_attention, packer, set),
         ResidualStep(layer.self_norm, layer.self_omega, shape, packer),
         FeedForwardStep(shape.activation, layer.inner, layer.gate, layer.outer, packer),
         ResidualStep(layer.feed_forward_norm, layer.feed_forward_omega, shape, packer)});
  }
  if (shape.has_final_norm())
    final_norm_ = {names::TransformerStackNames(name).final_norm, shape.norm_type, packer};
}

Encoded TransformerEncoder::encode(const SourceTokens& tokens, AlignedFloats embedded) const {
  const std::vector<int64_t>& begins = tokens.begins;
  Workspace room;
  const std::vector<int64_t> positions = source_positions(begins);
  const int64_t rows = begins.back();
  AlignedFloats x;
  input_.read(embedded, positions, x, set_);
  for (const EncoderLayerWeights& layer : layers_) {
    layer.around_self.around(x, rows, set_, room, [&](const float* in, float* out) {
      layer.self.attend_sentences(begins, positions, in, out, room);
    });
    layer.around_feed_forward.around(x, rows, set_, room, [&](const float* in, float* out) {
      layer.feed_forward(in, rows, out, set_, room);
    });
  }
  final_norm_(x.data(), rows, x.data(), set_);
  LastState mean = mean_state(begins, x, width_, set_);
  return {.last = {std::move(mean)}, .states = std::move(x)};
}

}  // namespace heed
