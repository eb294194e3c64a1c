#include "inference/recurrent_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace heed {

namespace {

bool is_supported(const RnnDecoderConfig& config) {
  return !config.norm.layer_norm && !config.deep_context && config.transition_depth == 1 &&
         config.base_depth() == 1 && config.attend != RnnDecoderConfig::Attend::kConditional &&
         config.attend != RnnDecoderConfig::Attend::kDeepFusion &&
         config.bridge != RnnDecoderConfig::Bridge::kMean && !config.intra_attention &&
         !config.adaptive;
}

// Sets what follows from the source whose last state begins, if there is one.
void set_bridge(RecurrentDecoderShape& shape, const RnnDecoderConfig& config,
                const DecoderDims& dims) {
  const auto source = dims.sources.find(config.first_state_of(dims));
  if (source == dims.sources.end()) return;
  const bool is_backward = config.bridge == RnnDecoderConfig::Bridge::kBackward;
  shape.bridge = config.bridge;
  shape.first_source = static_cast<size_t>(std::distance(dims.sources.begin(), source));
  shape.first_width = source->second.final_width;
  shape.bridge_input = is_backward ? source->second.backward_width : shape.first_width;
}

}  // namespace

std::optional<RecurrentShape> recurrent_shape(const ModelConfig& model, const ModelPlan& plan,
                                              const VocabularyShape& vocabulary) {
  const auto* decoder = dynamic_cast<const RnnDecoderConfig*>(model.decoder.get());
  if (decoder == nullptr || !is_supported(*decoder)) return std::nullopt;
  auto encoders = encoder_shapes(plan, *decoder);
  const auto joiner = joiner_shape(model, plan);
  const auto attention =
      sources_attention_shape(*decoder->attention, decoder->state_width(), plan.decoder.sources);
  if (!encoders || !joiner || !attention) return std::nullopt;
  // The weights over the tokens of a source that is pooled are not known here.
  const bool reads_states = attention->reads() || model.join || vocabulary.output.reads_source();
  if (reads_states && std::ranges::any_of(*encoders, &EncoderShape::pools)) return std::nullopt;
  std::optional<PastShape> past;
  if (decoder->past) {
    past = past_shape(*decoder->past, decoder->width);
    if (!past) return std::nullopt;
  }
  RecurrentShape shape{
      vocabulary,
      std::move(*encoders),
      *joiner,
      {.cell = decoder->cell,
       .reset = decoder->reset,
       .layers = decoder->layers,
       .width = decoder->width,
       .output_width = decoder->activation_width(),
       .reads_previous_state = decoder->output_state == RnnDecoderConfig::OutputState::kPrevious,
       .attends_before = decoder->attend == RnnDecoderConfig::Attend::kBefore,
       .input_feeding = decoder->input_feeding,
       .context_feeding = decoder->context_feeding,
       .reads_memory = decoder->read_state == RnnDecoderConfig::ReadState::kHiddenAndCell,
       .output_activation = decoder->output_activation,
       .deep_output = decoder->deep_output,
       .residual = decoder->residual,
       .bridge = RnnDecoderConfig::Bridge::kNone},
      *attention,
      past};
  set_bridge(shape.decoder, *decoder, plan.decoder);
  return shape;
}

bool RecurrentShape::has_weights() const {
  return attention.reads() || vocabulary.output.as<HardMonotonicShape>() != nullptr;
}

int64_t RecurrentShape::cell_input() const {
  return vocabulary.target_input() + (decoder.attends_before ? context_width() : 0) +
         (decoder.input_feeding ? decoder.output_width : 0);
}

int64_t RecurrentShape::output_input() const {
  return read_width() + context_width() + (decoder.deep_output ? vocabulary.target_input() : 0);
}

ParameterShapes::Map parameter_shapes(const RecurrentShape& shape, const VocabularySize& size) {
  const RecurrentDecoderShape& decoder = shape.decoder;
  ParameterShapes shapes;
  shapes.vocabulary(shape.vocabulary, size);
  for (size_t i = 0; i < shape.encoders.size(); ++i)
    add_encoder(shapes, shape.encoders[i], shape.vocabulary, i);
  add_joiner(shapes, shape.joiner);
  for (int64_t i = 0; i < decoder.layers; ++i)
    add_cell(shapes, names::layer(names::kDecoder, i), decoder.cell,
             i == 0 ? shape.cell_input() : decoder.width, decoder.width);
  add_parameters(shapes, shape.attention);
  if (shape.past) add_parameters(shapes, names::kPastAttention, shape.past->attention);
  if (decoder.has_bridge_of_each_state()) {
    for (int64_t part = 0; part < 2 * decoder.layers; ++part) {
      if (part % 2 == 0 || decoder.cell == CellKind::kLstm)
        shapes.linear(names::bridge(part), decoder.bridge_input, decoder.width);
    }
  }
  if (decoder.bridge == RecurrentDecoderShape::Bridge::kShared)
    shapes.linear(names::kBridge, decoder.first_width, decoder.width);
  if (decoder.context_feeding)
    shapes.linear(names::kMerge, shape.vocabulary.target_input() + shape.context_width(),
                  shape.vocabulary.target_input());
  if (decoder.output_activation != RecurrentDecoderShape::OutputActivation::kNone)
    shapes.linear(names::kReadOut, shape.output_input(),
                  shape.output_pieces() * decoder.output_width);
  return shapes.take();
}

}  // namespace heed
