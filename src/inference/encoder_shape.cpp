#include "inference/encoder_shape.h"

#include <utility>

#include "model/encoders/convolution_config.h"
#include "model/encoders/hierarchical_config.h"
#include "model/encoders/rnn_config.h"
#include "model/encoders/transformer_config.h"

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
                   .embedding_norm = settings.embedding_norm,
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
  return !config.norm.layer_norm && (config.layers == 1 || !config.reads_own_stack()) &&
         config.transition_depth == 1 &&
         config.directions == RnnEncoderConfig::Directions::kConcatenate &&
         !config.intra_attention && !config.adaptive && !config.memory_tape;
}

// Depth of the encoder for norm: deep (Encoder::read_by).
DeepNorm depth_of(const TransformerEncoderConfig& encoder, const DecoderConfig& decoder) {
  const int64_t reading = decoder.reading_layers();
  return reading > 0 ? DeepNorm::of_encoder(encoder.layers, reading)
                     : DeepNorm::of_stack(2 * encoder.layers);
}

std::optional<RecurrentEncoderShape> recurrent_shape_of(const EncoderConfig& encoder) {
  const auto* config = dynamic_cast<const RnnEncoderConfig*>(&encoder);
  if (config == nullptr || !is_supported(*config)) return std::nullopt;
  return RecurrentEncoderShape{.cell = config->cell,
                               .reset = config->reset,
                               .layers = config->layers,
                               .width = config->width,
                               .bidirectional = config->bidirectional,
                               .residual = config->residual,
                               .reverse = config->reverse};
}

std::optional<HierarchicalEncoderShape::Pool> pool_of(const SentencePoolConfig& config) {
  using Method = SentencePoolConfig::PoolMethod;
  using Pool = HierarchicalEncoderShape::Pool;
  switch (config.method) {
    case Method::kAttention:
      return Pool::kAttention;
    case Method::kMean:
      return Pool::kMean;
    case Method::kSum:
      return Pool::kSum;
    case Method::kLast:
      return Pool::kLast;
    case Method::kPosition:
    case Method::kEncoder:
      break;
  }
  return std::nullopt;
}

std::optional<HierarchicalEncoderShape> hierarchical_shape(
    const HierarchicalEncoderConfig& config) {
  const auto words = recurrent_shape_of(*config.word_encoder),
             sentences = recurrent_shape_of(*config.sentence_encoder);
  const auto pool = pool_of(*config.pool);
  if (!words || !sentences || !pool ||
      config.states != HierarchicalEncoderConfig::States::kSentences)
    return std::nullopt;
  return HierarchicalEncoderShape{
      .words = *words,
      .sentences = *sentences,
      .pool = *pool,
      .pool_hidden = config.pool->hidden_width(),
      .document_hidden = config.last->hidden_width(),
      .words_of_text = config.word_context == HierarchicalEncoderConfig::WordContext::kText,
      .marker_is_word = config.marker_is_word,
      .width = sentences->width};
}

void add_norm(ParameterShapes& shapes, const std::string& name, const StackShape& stack) {
  shapes.add(names::weight(name), {stack.width});
  if (stack.norm_type == NormType::kLayer) shapes.add(names::bias(name), {stack.width});
}

}  // namespace

ConvolutionStackShape::ConvolutionStackShape(const ConvolutionSettings& settings)
    : layers(settings.layers),
      width(settings.width),
      kernel(settings.kernel),
      weight_norm(settings.weight_norm),
      positions(*settings.positions) {}

std::optional<EncoderShape> encoder_shape(const SourcePlan& source, const DecoderConfig& decoder) {
  if (const auto* config = dynamic_cast<const TransformerEncoderConfig*>(source.encoder.get())) {
    auto stack = stack_shape(*config, Place::kEncoderSelf, depth_of(*config, decoder));
    if (!stack) return std::nullopt;
    return EncoderShape{std::move(*stack)};
  }
  if (const auto* config = dynamic_cast<const ConvolutionEncoderConfig*>(source.encoder.get()))
    return EncoderShape{ConvolutionEncoderShape{ConvolutionStackShape(*config), source.input}};
  if (const auto* config = dynamic_cast<const HierarchicalEncoderConfig*>(source.encoder.get())) {
    const auto shape = hierarchical_shape(*config);
    return shape ? std::optional(EncoderShape{*shape}) : std::nullopt;
  }
  const auto shape = recurrent_shape_of(*source.encoder);
  return shape ? std::optional(EncoderShape{*shape}) : std::nullopt;
}

std::optional<std::vector<EncoderShape>> encoder_shapes(const ModelPlan& plan,
                                                        const DecoderConfig& decoder) {
  std::vector<EncoderShape> shapes;
  for (const SourcePlan& source : plan.sources) {
    auto own = encoder_shape(source, decoder);
    if (!own) return std::nullopt;
    shapes.push_back(std::move(*own));
  }
  return shapes;
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
  add_norm(shapes, norm, stack);
  if (stack.norm == NormPlace::kAdmin) shapes.add(omega, {stack.width});
}

void add_stack(ParameterShapes& shapes, const std::string& name, const StackShape& shape,
               int64_t embedding) {
  const names::TransformerStackNames stack(name);
  if (embedding != shape.width) shapes.add(names::weight(stack.to_width), {shape.width, embedding});
  if (shape.positions.kind == PositionKind::kLearned)
    shapes.add(stack.positions, {shape.positions.rows, shape.width});
  if (shape.embedding_norm) add_norm(shapes, stack.embedding_norm, shape);
  for (int64_t i = 0; i < shape.layers(); ++i) {
    const names::TransformerLayerNames layer(names::layer(name, i));
    add_parameters(shapes, layer, shape.self_attention[i], shape.width);
    add_residual(shapes, layer.self_norm, layer.self_omega, shape);
    shapes.linear(layer.inner, shape.width, shape.feed_forward);
    if (is_gated(shape.activation)) shapes.linear(layer.gate, shape.width, shape.feed_forward);
    shapes.linear(layer.outer, shape.feed_forward, shape.width);
    add_residual(shapes, layer.feed_forward_norm, layer.feed_forward_omega, shape);
  }
  if (shape.has_final_norm()) add_norm(shapes, stack.final_norm, shape);
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

void add_recurrent_encoder(ParameterShapes& shapes, const std::string& name,
                           const RecurrentEncoderShape& encoder, int64_t embedding) {
  for (int64_t i = 0; i < encoder.layers; ++i) {
    const int64_t input = i == 0 ? embedding : encoder.width;
    add_cell(shapes, names::forward_layer(name, i), encoder.cell, input, encoder.cell_width());
    if (encoder.bidirectional)
      add_cell(shapes, names::backward_layer(name, i), encoder.cell, input, encoder.cell_width());
  }
}

void add_convolution_encoder(ParameterShapes& shapes, const std::string& name,
                             const ConvolutionEncoderShape& encoder) {
  const ConvolutionStackShape& stack = encoder.stack;
  add_stack(shapes, name, stack, encoder.width);
  for (int64_t i = 0; i < stack.layers; ++i) add_convolution(shapes, names::layer(name, i), stack);
  shapes.layer(names::ConvolutionStackNames(name).to_embedding, stack.width, encoder.width,
               stack.weight_norm);
}

void add_pool(ParameterShapes& shapes, const std::string& prefix, int64_t width, int64_t hidden) {
  shapes.linear(prefix + "hidden", width, hidden);
  shapes.add(names::weight(prefix + "weigh"), {1, hidden});
}

void add_hierarchical_encoder(ParameterShapes& shapes, const std::string& name,
                              const HierarchicalEncoderShape& encoder, int64_t embedding) {
  add_recurrent_encoder(shapes, names::words(name), encoder.words, embedding);
  add_recurrent_encoder(shapes, names::sentences(name), encoder.sentences, encoder.words.width);
  if (encoder.pool_hidden > 0)
    add_pool(shapes, names::over_words(name), encoder.words.width, encoder.pool_hidden);
  if (encoder.document_hidden > 0)
    add_pool(shapes, names::over_sentences(name), encoder.width, encoder.document_hidden);
}

}  // namespace

void add_encoder(ParameterShapes& shapes, const EncoderShape& shape,
                 const VocabularyShape& vocabulary, size_t source) {
  const std::string name = names::encoder(vocabulary.sources[source].encoder);
  const int64_t embedding = vocabulary.source_input(source);
  if (const auto* stack = std::get_if<StackShape>(&shape.kind)) {
    add_stack(shapes, name, *stack, embedding);
  } else if (const auto* convolution = std::get_if<ConvolutionEncoderShape>(&shape.kind)) {
    add_convolution_encoder(shapes, name, *convolution);
  } else if (const auto* hierarchical = std::get_if<HierarchicalEncoderShape>(&shape.kind)) {
    add_hierarchical_encoder(shapes, name, *hierarchical, embedding);
  } else {
    add_recurrent_encoder(shapes, name, shape.recurrent(), embedding);
  }
}

}  // namespace heed
