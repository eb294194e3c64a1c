#include "inference/recurrent_shape.h"

#include <fmt/format.h>

#include <string>

namespace heed {

namespace {

bool is_supported(const RnnDecoderConfig& config) {
  return !config.layer_norm && !config.deep_context && config.transition_depth == 1 &&
         config.base_depth() == 1 && config.attend != RnnDecoderConfig::Attend::kConditional &&
         config.attend != RnnDecoderConfig::Attend::kDeepFusion && !config.past &&
         !config.intra_attention && !config.adaptive;
}

}  // namespace

std::optional<RecurrentShape> recurrent_shape(const ModelConfig& model,
                                              const VocabularyShape& vocabulary) {
  const auto* decoder = dynamic_cast<const RnnDecoderConfig*>(model.decoder.get());
  if (decoder == nullptr || !is_supported(*decoder)) return std::nullopt;
  const auto encoder = encoder_shape(model);
  if (!encoder) return std::nullopt;
  const auto attention =
      state_attention_shape(*decoder->attention, decoder->state_width(), encoder->width());
  if (!attention) return std::nullopt;
  return RecurrentShape{
      vocabulary,
      *encoder,
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
       .bridge = decoder->bridge},
      *attention};
}

bool RecurrentShape::has_weights() const {
  return attention.reads() || vocabulary.output.as<HardMonotonicShape>() != nullptr;
}

int64_t RecurrentShape::cell_input() const {
  return vocabulary.target_input() + (decoder.attends_before ? context_width() : 0) +
         (decoder.input_feeding ? decoder.output_width : 0);
}

int64_t RecurrentShape::bridge_input() const {
  return decoder.bridge == RecurrentDecoderShape::Bridge::kBackward
             ? encoder.recurrent().cell_width()
             : encoder.width();
}

int64_t RecurrentShape::output_input() const {
  return decoder.width + context_width() + (decoder.deep_output ? vocabulary.target_input() : 0);
}

ParameterShapes::Map parameter_shapes(const RecurrentShape& shape, const VocabularySize& size) {
  const RecurrentDecoderShape& decoder = shape.decoder;
  ParameterShapes shapes;
  shapes.vocabulary(shape.vocabulary, size);
  add_encoder(shapes, shape.encoder, shape.vocabulary);
  for (int64_t i = 0; i < decoder.layers; ++i)
    add_cell(shapes, names::layer(names::kDecoder, i), decoder.cell,
             i == 0 ? shape.cell_input() : decoder.width, decoder.width);
  add_parameters(shapes, names::kDecoderAttention, shape.attention);
  if (decoder.has_bridge_of_each_state()) {
    for (int64_t part = 0; part < 2 * decoder.layers; ++part) {
      if (part % 2 == 0 || decoder.cell == CellKind::kLstm)
        shapes.linear(names::bridge(part), shape.bridge_input(), decoder.width);
    }
  }
  if (decoder.bridge == RecurrentDecoderShape::Bridge::kShared)
    shapes.linear(names::kBridge, shape.encoder.width(), decoder.width);
  if (decoder.context_feeding)
    shapes.linear(names::kMerge, shape.vocabulary.target_input() + shape.context_width(),
                  shape.vocabulary.target_input());
  if (decoder.output_activation != RecurrentDecoderShape::OutputActivation::kNone)
    shapes.linear(names::kReadOut, shape.output_input(),
                  shape.output_pieces() * decoder.output_width);
  return shapes.take();
}

}  // namespace heed
