#include "inference/transformer_encoder.h"

#include <utility>

#include "model/parameter_names_spec.h"

namespace heed {

namespace {

// The position of each token in its sentence, which is tokens begins[i] to begins[i+1].
std::vector<int64_t> source_positions(const std::vector<int64_t>& begins) {
  std::vector<int64_t> positions;
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    for (int64_t token = begins[i]; token < begins[i + 1]; ++token)
      positions.push_back(token - begins[i]);
  }
  return positions;
}

// The mean of the states [tokens,W] of each sentence.  [N,W]
AlignedFloats means_of(const std::vector<int64_t>& begins, const AlignedFloats& x, int64_t width,
                       const Kernels& set) {
  const auto sentences = std::ssize(begins) - 1;
  AlignedFloats means(static_cast<size_t>(sentences * width), 0.0F);
  for (int64_t i = 0; i < sentences; ++i) {
    float* mean = means.data() + i * width;
    for (int64_t t = begins[i]; t < begins[i + 1]; ++t) set.add(x.data() + t * width, width, mean);
    for (int64_t j = 0; j < width; ++j) mean[j] /= static_cast<float>(begins[i + 1] - begins[i]);
  }
  return means;
}

}  // namespace

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

std::vector<LastState> TransformerEncoder::encode(const std::vector<int64_t>& begins,
                                                  AlignedFloats& x) const {
  Workspace room;
  const std::vector<int64_t> positions = source_positions(begins);
  const int64_t rows = begins.back();
  AlignedFloats embedded = std::move(x);
  input_.read(embedded, positions, x);
  for (const EncoderLayerWeights& layer : layers_) {
    layer.around_self.around(x, rows, set_, room, [&](const float* in, float* out) {
      layer.self.attend_sentences(begins, positions, in, out, room);
    });
    layer.around_feed_forward.around(x, rows, set_, room, [&](const float* in, float* out) {
      layer.feed_forward(in, rows, out, set_, room);
    });
  }
  final_norm_(x.data(), rows, x.data(), set_);
  return {{.hidden = means_of(begins, x, width_, set_), .cell = {}}};
}

}  // namespace heed
