#include "inference/encoder_shape.h"

#include "model/encoders/convolution_config.h"
#include "model/encoders/rnn_config.h"
#include "model/encoders/transformer_config.h"
#include "model/model_spec.h"

namespace heed {

std::optional<StackShape> stack_shape(const TransformerSettings& settings, Place place,
                                      const DeepNorm& depth) {
  StackShape shape{.width = settings.width,
                   .feed_forward = settings.feed_forward,
                   .positions = PositionShape(*settings.positions),
                   .activation = settings.activation,
                   .norm = settings.norm,
                   .norm_type = settings.norm_type,
                   .alpha = settings.norm == NormPlace::kDeep ? depth.alpha : 1,
                   .scale_embedding = settings.scale_embedding,
                   .final_norm = settings.final_norm};
  for (int64_t layer = 0; layer < settings.layers; ++layer) {
    auto own = self_attention_shape(settings.self_attention_of(layer), settings.self_dims(place));
    if (!own) return std::nullopt;
    shape.self_attention.push_back(std::move(*own));
  }
  return shape;
}

namespace {

bool is_supported(const RnnEncoderConfig& config) {
  return !config.layer_norm && config.transition_depth == 1 &&
         config.directions == RnnEncoderConfig::Directions::kConcatenate &&
         !config.intra_attention && !config.adaptive && !config.memory_tape;
}

// Depth of the encoder for norm: deep (Encoder::read_by).
DeepNorm depth_of(const TransformerEncoderConfig& encoder, const DecoderConfig& decoder) {
  const int64_t reading = decoder.reading_layers();
  return reading > 0 ? DeepNorm::of_encoder(encoder.layers, reading)
                     : DeepNorm::of_stack(2 * encoder.layers);
}

}  // namespace

ConvolutionStackShape::ConvolutionStackShape(const ConvolutionSettings& settings)
    : layers(settings.layers),
      width(settings.width),
      kernel(settings.kernel),
      weight_norm(settings.weight_norm),
      positions(*settings.positions) {}

std::optional<EncoderShape> encoder_shape(const ModelConfig& model) {
  const auto plan = find_plan(model);
  if (!plan || plan->sources.empty()) return std::nullopt;
  if (const auto* config = dynamic_cast<const TransformerEncoderConfig*>(model.encoder.get())) {
    auto stack = stack_shape(*config, Place::kEncoderSelf, depth_of(*config, *model.decoder));
    if (!stack) return std::nullopt;
    return EncoderShape{std::move(*stack)};
  }
  if (const auto* config = dynamic_cast<const ConvolutionEncoderConfig*>(model.encoder.get()))
    return EncoderShape{
        ConvolutionEncoderShape{ConvolutionStackShape(*config), plan->sources.front().input}};
  const auto* config = dynamic_cast<const RnnEncoderConfig*>(model.encoder.get());
  if (config == nullptr || !is_supported(*config)) return std::nullopt;
  return EncoderShape{RecurrentEncoderShape{.cell = config->cell,
                                            .reset = config->reset,
                                            .layers = config->layers,
                                            .width = config->width,
                                            .bidirectional = config->bidirectional,
                                            .residual = config->residual,
                                            .reverse = config->reverse}};
}

int64_t gates_of(CellKind cell) {
  switch (cell) {
    case CellKind::kRnn:
      return 1;
    case CellKind::kLstm:
      return 4;
    case CellKind::kGru:
      return 3;
  }
  return 0;
}

void add_residual(ParameterShapes& shapes, const std::string& norm, const std::string& omega,
                  const StackShape& stack) {
  shapes.add(names::weight(norm), {stack.width});
  if (stack.norm_type == NormType::kLayer) shapes.add(names::bias(norm), {stack.width});
  if (stack.norm == NormPlace::kAdmin) shapes.add(omega, {stack.width});
}

void add_stack(ParameterShapes& shapes, const std::string& name, const StackShape& shape,
               int64_t embedding) {
  const names::TransformerStackNames stack(name);
  if (embedding != shape.width) shapes.add(names::weight(stack.to_width), {shape.width, embedding});
  if (shape.positions.kind == PositionKind::kLearned)
    shapes.add(stack.positions, {shape.positions.rows, shape.width});
  for (int64_t i = 0; i < shape.layers(); ++i) {
    const names::TransformerLayerNames layer(names::layer(name, i));
    add_parameters(shapes, layer, shape.self_attention[i], shape.width);
    add_residual(shapes, layer.self_norm, layer.self_omega, shape);
    shapes.linear(layer.inner, shape.width, shape.feed_forward);
    if (is_gated(shape.activation)) shapes.linear(layer.gate, shape.width, shape.feed_forward);
    shapes.linear(layer.outer, shape.feed_forward, shape.width);
    add_residual(shapes, layer.feed_forward_norm, layer.feed_forward_omega, shape);
  }
  if (shape.has_final_norm()) add_residual(shapes, stack.final_norm, "", shape);
}

void add_stack(ParameterShapes& shapes, const std::string& name, const ConvolutionStackShape& shape,
               int64_t embedding) {
  const names::ConvolutionStackNames stack(name);
  if (shape.positions.kind == PositionKind::kLearned)
    shapes.add(stack.positions, {shape.positions.rows, embedding});
  shapes.layer(stack.to_width, embedding, shape.width, shape.weight_norm);
}

void add_convolution(ParameterShapes& shapes, const std::string& name,
                     const ConvolutionStackShape& stack) {
  shapes.normed(name, {2 * stack.width, stack.width, stack.kernel});
  shapes.add(names::bias(name), {2 * stack.width});
}

void add_cell(ParameterShapes& shapes, const std::string& layer, CellKind cell, int64_t input,
              int64_t width) {
  const int64_t gates = gates_of(cell);
  const names::CellNames name(layer);
  shapes.add(name.weight_input, {gates, width, input});
  shapes.add(name.weight_hidden, {gates, width, width});
  shapes.add(name.bias_input, {gates * width});
  shapes.add(name.bias_hidden, {gates * width});
}

namespace {

void add_recurrent_encoder(ParameterShapes& shapes, const RecurrentEncoderShape& encoder,
                           const VocabularyShape& vocabulary) {
  const std::string stack = names::encoder(vocabulary.source);
  for (int64_t i = 0; i < encoder.layers; ++i) {
    const int64_t input = i == 0 ? vocabulary.source_input() : encoder.width;
    add_cell(shapes, names::forward_layer(stack, i), encoder.cell, input, encoder.cell_width());
    if (encoder.bidirectional)
      add_cell(shapes, names::backward_layer(stack, i), encoder.cell, input, encoder.cell_width());
  }
}

void add_convolution_encoder(ParameterShapes& shapes, const ConvolutionEncoderShape& encoder,
                             const VocabularyShape& vocabulary) {
  const std::string name = names::encoder(vocabulary.source);
  const ConvolutionStackShape& stack = encoder.stack;
  add_stack(shapes, name, stack, encoder.width);
  for (int64_t i = 0; i < stack.layers; ++i) add_convolution(shapes, names::layer(name, i), stack);
  shapes.layer(names::ConvolutionStackNames(name).to_embedding, stack.width, encoder.width,
               stack.weight_norm);
}

}  // namespace

void add_encoder(ParameterShapes& shapes, const EncoderShape& shape,
                 const VocabularyShape& vocabulary) {
  if (const auto* stack = std::get_if<StackShape>(&shape.kind)) {
    add_stack(shapes, names::encoder(vocabulary.source), *stack, vocabulary.source_input());
  } else if (const auto* convolution = std::get_if<ConvolutionEncoderShape>(&shape.kind)) {
    add_convolution_encoder(shapes, *convolution, vocabulary);
  } else {
    add_recurrent_encoder(shapes, shape.recurrent(), vocabulary);
  }
}

}  // namespace heed
