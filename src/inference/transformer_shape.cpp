#include "inference/transformer_shape.h"

#include <algorithm>
#include <string>

#include "model/decoders/transformer_config.h"
#include "model/encoders/transformer_config.h"
#include "model/model_spec.h"
#include "nn/deep_norm_spec.h"

namespace heed {

namespace {

std::optional<StackShape> stack_shape(const TransformerSettings& settings, Place place,
                                      const DeepNorm& depth) {
  const PositionConfig& positions = *settings.positions;
  StackShape shape{
      .width = settings.width,
      .feed_forward = settings.feed_forward,
      .positions = positions.kind,
      .layout = positions.layout,
      .max_positions = positions.kind == PositionKind::kLearned ? positions.max_length() : 0,
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

// Sets the attention over the source; false if TransformerEngine does not support it.
bool set_cross_attention(TransformerShape& shape, const TransformerDecoderConfig& decoder,
                         const DecoderDims& dims) {
  for (int64_t layer = 0; layer < decoder.layers; ++layer) {
    const AttentionConfig& attention = decoder.attention_of(layer);
    auto own = multi_head_shape(attention, decoder.cross_dims(dims));
    if (attention.reads() && !own) return false;
    shape.cross_attention.push_back(std::move(own));
  }
  shape.aligned_layer = decoder.aligned_layer(dims);
  shape.aligned_heads = decoder.alignment.chosen_heads();
  return decoder.reading_layers() > 0;
}

}  // namespace

std::optional<TransformerShape> transformer_shape(const ModelConfig& model,
                                                  const VocabularyShape& vocabulary) {
  const auto* encoder = dynamic_cast<const TransformerEncoderConfig*>(model.encoder.get());
  const auto* decoder = dynamic_cast<const TransformerDecoderConfig*>(model.decoder.get());
  const auto plan = find_plan(model);
  if (encoder == nullptr || decoder == nullptr || !plan || vocabulary.output.beside_embedding() > 0)
    return std::nullopt;
  const bool chooses = decoder->alignment.layer || !decoder->alignment.heads.empty();
  if (chooses && vocabulary.output.reads_weights()) return std::nullopt;
  const int64_t reading = decoder->reading_layers();
  const auto source = stack_shape(*encoder, Place::kEncoderSelf,
                                  DeepNorm::of_encoder(encoder->layers, reading)),
             target = stack_shape(*decoder, Place::kDecoderSelf,
                                  DeepNorm::of_stack(2 * decoder->layers + reading));
  if (!source || !target) return std::nullopt;
  TransformerShape shape{vocabulary, *source, *target};
  if (!set_cross_attention(shape, *decoder, plan->decoder)) return std::nullopt;
  return shape;
}

namespace {

// A residual connection, named by its norm and ω.
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
  if (shape.positions == PositionKind::kLearned)
    shapes.add(stack.positions, {shape.max_positions, shape.width});
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

}  // namespace

ParameterShapes::Map parameter_shapes(const TransformerShape& shape, const VocabularySize& size) {
  ParameterShapes shapes;
  shapes.vocabulary(shape.vocabulary, size);
  const VocabularyShape& vocabulary = shape.vocabulary;
  add_stack(shapes, names::encoder(vocabulary.source), shape.encoder, vocabulary.source_input());
  add_stack(shapes, names::kDecoder, shape.decoder, vocabulary.target_input());
  for (int64_t i = 0; i < shape.decoder.layers(); ++i) {
    if (!shape.cross_attention[i]) continue;
    const names::TransformerLayerNames layer(names::layer(names::kDecoder, i));
    add_parameters(shapes, layer.cross_attention, *shape.cross_attention[i], shape.decoder.width,
                   shape.encoder.width);
    add_residual(shapes, layer.cross_norm, layer.cross_omega, shape.decoder);
  }
  return shapes.take();
}

}  // namespace heed
