#include "inference/transformer_shape.h"

#include <fmt/format.h>

#include <string>

#include "inference/plain_attention.h"
#include "model/decoders/transformer_config.h"
#include "model/encoders/transformer_config.h"
#include "nn/attention/scores/projected_config.h"

namespace heed {

namespace {

// The heads of scaled dot-product attention with queries, keys, values and output projected to the
// width of the model; nullopt if the attention is another.
std::optional<int64_t> heads_of(const AttentionConfig& attention, int64_t block) {
  const auto plain = plain_attention(attention);
  if (!plain || plain->score.type != "scaled_dot") return std::nullopt;
  const auto& dot = dynamic_cast<const ProjectedConfig&>(plain->score);
  const int64_t heads = plain->staged.heads;
  if (!dot.project.value_or(true) || !plain->read->project.value_or(true) ||
      (dot.width != 0 && dot.width != block) || block % heads != 0)
    return std::nullopt;
  return heads;
}

std::optional<StackShape> stack_shape(const TransformerSettings& settings) {
  const auto heads = heads_of(*settings.self_attention, settings.width);
  const bool is_plain = settings.norm == NormPlace::kPre || settings.norm == NormPlace::kPost;
  if (!heads || !settings.self_attention_by_layer.empty() ||
      settings.norm_type != NormType::kLayer || !is_plain)
    return std::nullopt;
  const PositionConfig& positions = *settings.positions;
  return StackShape{
      .layers = settings.layers,
      .width = settings.width,
      .feed_forward = settings.feed_forward,
      .heads = *heads,
      .positions = positions.kind,
      .layout = positions.layout,
      .max_positions = positions.kind == PositionKind::kLearned ? positions.max_length() : 0,
      .activation = settings.activation,
      .post_norm = settings.norm == NormPlace::kPost,
      .scale_embedding = settings.scale_embedding,
      .final_norm = settings.final_norm};
}

}  // namespace

std::optional<TransformerShape> transformer_shape(const ModelConfig& model,
                                                  const VocabularyShape& vocabulary) {
  const auto* encoder = dynamic_cast<const TransformerEncoderConfig*>(model.encoder.get());
  const auto* decoder = dynamic_cast<const TransformerDecoderConfig*>(model.decoder.get());
  if (encoder == nullptr || decoder == nullptr || vocabulary.output.beside_embedding() > 0 ||
      !decoder->attention_by_layer.empty() || decoder->alignment.layer ||
      !decoder->alignment.heads.empty())
    return std::nullopt;
  const auto source = stack_shape(*encoder), target = stack_shape(*decoder);
  const auto cross_heads = heads_of(*decoder->attention, decoder->width);
  if (!source || !target || !cross_heads) return std::nullopt;
  return TransformerShape{vocabulary, *source, *target, *cross_heads};
}

namespace {

void add_norm(ParameterShapes& shapes, const std::string& name, int64_t width) {
  shapes.add(names::weight(name), {width});
  shapes.add(names::bias(name), {width});
}

void add_attention(ParameterShapes& shapes, const names::AttentionNames& name, int64_t queries,
                   int64_t keys) {
  shapes.linear(name.query, queries, queries);
  shapes.linear(name.key, keys, queries);
  shapes.linear(name.value, keys, queries);
  shapes.linear(name.output, queries, queries);
}

void add_stack(ParameterShapes& shapes, const std::string& name, const StackShape& shape,
               int64_t embedding) {
  const names::TransformerStackNames stack(name);
  if (embedding != shape.width) shapes.add(names::weight(stack.to_width), {shape.width, embedding});
  if (shape.positions == PositionKind::kLearned)
    shapes.add(stack.positions, {shape.max_positions, shape.width});
  for (int64_t i = 0; i < shape.layers; ++i) {
    const names::TransformerLayerNames layer(names::layer(name, i));
    add_attention(shapes, layer.self_attention, shape.width, shape.width);
    add_norm(shapes, layer.self_norm, shape.width);
    shapes.linear(layer.inner, shape.width, shape.feed_forward);
    if (is_gated(shape.activation)) shapes.linear(layer.gate, shape.width, shape.feed_forward);
    shapes.linear(layer.outer, shape.feed_forward, shape.width);
    add_norm(shapes, layer.feed_forward_norm, shape.width);
  }
  if (shape.has_final_norm()) add_norm(shapes, stack.final_norm, shape.width);
}

}  // namespace

ParameterShapes::Map parameter_shapes(const TransformerShape& shape, const VocabularySize& size) {
  ParameterShapes shapes;
  shapes.vocabulary(shape.vocabulary, size);
  const VocabularyShape& vocabulary = shape.vocabulary;
  add_stack(shapes, names::encoder(vocabulary.source), shape.encoder, vocabulary.source_input());
  add_stack(shapes, names::kDecoder, shape.decoder, vocabulary.target_input());
  for (int64_t i = 0; i < shape.decoder.layers; ++i) {
    const names::TransformerLayerNames layer(names::layer(names::kDecoder, i));
    add_attention(shapes, layer.cross_attention, shape.decoder.width, shape.encoder.width);
    add_norm(shapes, layer.cross_norm, shape.decoder.width);
  }
  return shapes.take();
}

}  // namespace heed
