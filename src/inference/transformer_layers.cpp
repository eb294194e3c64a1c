#include "inference/transformer_layers.h"

#include <utility>

#include "model/parameter_names_spec.h"

namespace heed {

namespace {

// Packs the layers of the decoder.
class LayerPacker {
 public:
  LayerPacker(const StackShape& stack, const std::string& name, const Packer& packer,
              const Kernels& set)
      : stack_(stack), name_(name), packer_(packer), set_(set) {}

  DecoderLayerWeights decoder_layer(int64_t i, const std::optional<MultiHeadShape>& cross) const {
    const names::TransformerLayerNames layer = names_of(i);
    DecoderLayerWeights weights{self_of(layer, stack_.self_attention[i]),
                                residual(layer.self_norm, layer.self_omega),
                                {},
                                {},
                                feed_forward(layer),
                                residual(layer.feed_forward_norm, layer.feed_forward_omega)};
    if (!cross) return weights;
    weights.cross.emplace(*cross, layer.cross_attention, packer_, set_);
    weights.around_cross = residual(layer.cross_norm, layer.cross_omega);
    return weights;
  }
  NormStep final_norm() const {
    if (!stack_.has_final_norm()) return {};
    return {names::TransformerStackNames(name_).final_norm, stack_.norm_type, packer_};
  }

 private:
  names::TransformerLayerNames names_of(int64_t i) const {
    return names::TransformerLayerNames(names::layer(name_, i));
  }
  ResidualStep residual(const std::string& norm, const std::string& omega) const {
    return {norm, omega, stack_, packer_};
  }
  FeedForwardStep feed_forward(const names::TransformerLayerNames& layer) const {
    return {stack_.activation, layer.inner, layer.gate, layer.outer, packer_};
  }
  std::variant<SelfAttention, SsruStep, AverageStep> self_of(
      const names::TransformerLayerNames& layer, const SelfAttentionShape& shape) const {
    if (const auto* heads = std::get_if<MultiHeadShape>(&shape))
      return SelfAttention(*heads, layer.self_attention, packer_, set_);
    if (std::holds_alternative<SsruShape>(shape)) return SsruStep(layer.light_attention, packer_);
    return AverageStep(layer.light_attention, packer_);
  }

  const StackShape& stack_;
  const std::string& name_;
  const Packer& packer_;
  const Kernels& set_;
};

}  // namespace

TransformerLayers::TransformerLayers(const TransformerShape& wanted, const Packer& packer,
                                     const Kernels& set)
    : shape(wanted),
      embeddings(shape.vocabulary, packer),
      sources(shape.vocabulary, {shape.encoder}, NoJoinerShape(), embeddings, packer, set),
      output(make_output(shape.vocabulary, embeddings, packer, set)),
      rounds_memory(packer.precision() != Precision::kFloat),
      set_(set),
      target_(shape.decoder, shape.vocabulary.target_input(), names::kDecoder, packer) {
  const std::string name = names::kDecoder;
  const LayerPacker decoder(shape.decoder, name, packer, set);
  for (int64_t i = 0; i < shape.decoder.layers(); ++i) {
    const auto& cross = shape.cross_attention[i];
    decoder_.push_back(decoder.decoder_layer(i, cross));
    source_widths_.push_back(cross ? memory_widths(*cross) : MemoryWidths());
  }
  final_norm_ = decoder.final_norm();
}

std::vector<std::shared_ptr<SourceMemory>> TransformerLayers::memories(
    const std::vector<int64_t>& begins, const AlignedFloats& states, Workspace& room) const {
  std::vector<std::shared_ptr<SourceMemory>> memories;
  for (size_t i = 0; i + 1 < begins.size(); ++i)
    memories.push_back(std::make_shared<SourceMemory>(begins[i + 1] - begins[i], source_widths_,
                                                      NumberArray(rounds_memory, set_), kSumLanes));
  for (int64_t layer = 0; layer < shape.decoder.layers(); ++layer) {
    if (!decoder_[layer].cross) continue;
    decoder_[layer].cross->project_source(states.data(), begins.back(), room);
    const auto [keys, values] = source_widths_[layer];
    for (size_t i = 0; i < memories.size(); ++i)
      memories[i]->keep(layer, room.projected.data() + begins[i] * (keys + values), room.keys);
  }
  return memories;
}

TargetState TransformerLayers::start() const {
  std::vector<MemoryWidths> memory;
  std::vector<int64_t> carried;
  for (const SelfAttentionShape& own : shape.decoder.self_attention) {
    memory.push_back(memory_widths(own));
    carried.push_back(std::holds_alternative<MultiHeadShape>(own) ? 0 : shape.decoder.width);
  }
  return {memory, carried, NumberArray(rounds_memory, set_)};
}

void TransformerLayers::advance(int64_t layer, TargetState& past, const float* x, float* y,
                                Workspace& room) const {
  const auto& self = decoder_[layer].self;
  if (const auto* heads = std::get_if<SelfAttention>(&self)) {
    heads->attend_past(past.memory, layer, past.positions(), x, y, room);
  } else if (const auto* ssru = std::get_if<SsruStep>(&self)) {
    (*ssru)(x, past.rows(), past.carried.of(layer), y, set_, room);
  } else {
    std::get<AverageStep>(self)(x, past.positions(), past.carried.of(layer), y, set_, room);
  }
}

void TransformerLayers::decode(AlignedFloats& embedded, const Sentences<SourceMemory>& sentences,
                               TargetState& past, AlignedFloats& hidden,
                               const AlignedAttention& aligned, Workspace& room) const {
  const int64_t rows = past.rows();
  target_.read(embedded, past.positions(), hidden, set_);
  for (int64_t i = 0; i < shape.decoder.layers(); ++i) {
    const DecoderLayerWeights& layer = decoder_[i];
    layer.around_self.around(hidden, rows, set_, room,
                             [&](const float* x, float* y) { advance(i, past, x, y, room); });
    if (layer.cross) {
      const AlignedAttention own = i == shape.aligned_layer ? aligned : AlignedAttention();
      layer.around_cross->around(hidden, rows, set_, room, [&](const float* x, float* y) {
        layer.cross->attend(sentences, i, past.positions(), x, y, own.weights, shape.aligned_heads,
                            room);
        if (own.context != nullptr) own.context->assign(y, y + rows * shape.decoder.width);
      });
    }
    layer.around_feed_forward.around(hidden, rows, set_, room, [&](const float* x, float* y) {
      layer.feed_forward(x, rows, y, set_, room);
    });
  }
  final_norm_(hidden.data(), rows, hidden.data(), set_);
}

}  // namespace heed
