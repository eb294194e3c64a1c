#include "inference/transformer_layers.h"

#include <utility>

#include "model/parameter_names_spec.h"

namespace heed {

namespace {

// Packs the layers of a stack.
class LayerPacker {
 public:
  LayerPacker(const StackShape& stack, const std::string& name, const Packer& packer,
              const Kernels& set)
      : stack_(stack), name_(name), packer_(packer), set_(set) {}

  EncoderLayerWeights encoder_layer(int64_t i) const {
    const names::TransformerLayerNames layer = names_of(i);
    const auto& self = std::get<MultiHeadShape>(stack_.self_attention[i]);
    return {SelfAttention(self, layer.self_attention, packer_, set_),
            residual(layer.self_norm, layer.self_omega), feed_forward(layer),
            residual(layer.feed_forward_norm, layer.feed_forward_omega)};
  }
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

// The position of each token in its sentence, which is tokens begins[i] to begins[i+1].
std::vector<int64_t> source_positions(const std::vector<int64_t>& begins) {
  std::vector<int64_t> positions;
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    for (int64_t token = begins[i]; token < begins[i + 1]; ++token)
      positions.push_back(token - begins[i]);
  }
  return positions;
}

}  // namespace

TransformerLayers::TransformerLayers(const TransformerShape& wanted, const Packer& packer,
                                     const Kernels& set)
    : shape(wanted),
      embeddings(shape.vocabulary, packer),
      output(make_output(shape.vocabulary, embeddings, packer, set)),
      rounds_memory(packer.precision() != Precision::kFloat),
      set_(set),
      source_input_(shape.vocabulary, embeddings, packer),
      source_(shape.encoder, shape.vocabulary.source_input(),
              names::encoder(shape.vocabulary.source), packer),
      target_(shape.decoder, shape.vocabulary.target_input(), names::kDecoder, packer) {
  const std::string encoder_name = names::encoder(shape.vocabulary.source),
                    decoder_name = names::kDecoder;
  const LayerPacker encoder(shape.encoder, encoder_name, packer, set),
      decoder(shape.decoder, decoder_name, packer, set);
  for (int64_t i = 0; i < shape.encoder.layers(); ++i) encoder_.push_back(encoder.encoder_layer(i));
  for (int64_t i = 0; i < shape.decoder.layers(); ++i) {
    const auto& cross = shape.cross_attention[i];
    decoder_.push_back(decoder.decoder_layer(i, cross));
    source_widths_.push_back(cross ? memory_widths(*cross) : MemoryWidths());
  }
  final_encoder_norm_ = encoder.final_norm();
  final_decoder_norm_ = decoder.final_norm();
}

std::vector<std::shared_ptr<SourceMemory>> TransformerLayers::encode(
    const std::vector<const Example*>& sentences, const SourceTokens& tokens, AlignedFloats& states,
    Workspace& room) const {
  const std::vector<int64_t>& begins = tokens.begins;
  const std::vector<int64_t> positions = source_positions(begins);
  const auto rows = begins.back();
  AlignedFloats& x = states;
  source_input_.embed(sentences, tokens, room.projected);
  source_.read(room.projected, positions, x);
  for (const EncoderLayerWeights& layer : encoder_) {
    layer.around_self.around(x, rows, set_, room, [&](const float* in, float* out) {
      layer.self.attend_sentences(begins, positions, in, out, room);
    });
    layer.around_feed_forward.around(x, rows, set_, room, [&](const float* in, float* out) {
      layer.feed_forward(in, rows, out, set_, room);
    });
  }
  final_encoder_norm_(x.data(), rows, x.data(), set_);
  std::vector<std::shared_ptr<SourceMemory>> memories;
  for (size_t i = 0; i + 1 < begins.size(); ++i)
    memories.push_back(std::make_shared<SourceMemory>(begins[i + 1] - begins[i], source_widths_,
                                                      NumberArray(rounds_memory, set_), kSumLanes));
  for (int64_t layer = 0; layer < shape.decoder.layers(); ++layer) {
    if (!decoder_[layer].cross) continue;
    decoder_[layer].cross->project_source(x.data(), rows, room);
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
                               TargetState& past, const StepResult& step, Workspace& room) const {
  const int64_t rows = past.rows();
  AlignedFloats& hidden = step.hidden;
  target_.read(embedded, past.positions(), hidden);
  for (int64_t i = 0; i < shape.decoder.layers(); ++i) {
    const DecoderLayerWeights& layer = decoder_[i];
    layer.around_self.around(hidden, rows, set_, room,
                             [&](const float* x, float* y) { advance(i, past, x, y, room); });
    if (layer.cross) {
      const bool is_aligned = i == shape.aligned_layer;
      StepWeights* own = is_aligned ? step.weights : nullptr;
      layer.around_cross->around(hidden, rows, set_, room, [&](const float* x, float* y) {
        layer.cross->attend(sentences, i, past.positions(), x, y, own, shape.aligned_heads, room);
        if (is_aligned && step.context != nullptr)
          step.context->assign(y, y + rows * shape.decoder.width);
      });
    }
    layer.around_feed_forward.around(hidden, rows, set_, room, [&](const float* x, float* y) {
      layer.feed_forward(x, rows, y, set_, room);
    });
  }
  final_decoder_norm_(hidden.data(), rows, hidden.data(), set_);
}

}  // namespace heed
