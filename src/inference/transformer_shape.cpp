#include "inference/transformer_shape.h"

#include <fmt/format.h>

#include <string>

namespace heed {

namespace {

void add_norm(ParameterShapes& shapes, const std::string& name, int64_t width) {
  shapes.add(name + ".weight", {width});
  shapes.add(name + ".bias", {width});
}

void add_attention(ParameterShapes& shapes, const std::string& name, int64_t queries,
                   int64_t keys) {
  shapes.linear(name + ".score.query", queries, queries);
  shapes.linear(name + ".score.key", keys, queries);
  shapes.linear(name + ".read.value", keys, queries);
  shapes.linear(name + ".read.output", queries, queries);
}

void add_stack(ParameterShapes& shapes, const std::string& name, const StackShape& shape,
               int64_t embedding) {
  if (embedding != shape.width)
    shapes.add(name + ".input.to_width.weight", {shape.width, embedding});
  if (shape.positions == StackShape::Positions::kLearned)
    shapes.add(name + ".input.positions.table", {shape.max_positions, shape.width});
  for (int64_t i = 0; i < shape.layers; ++i) {
    const std::string layer = fmt::format("{}.layer_{}", name, i);
    add_attention(shapes, layer + ".self_attention", shape.width, shape.width);
    add_norm(shapes, layer + ".self_residual.norm", shape.width);
    shapes.linear(layer + ".feed_forward.inner", shape.width, shape.feed_forward);
    if (shape.activation == StackShape::Activation::kGated)
      shapes.linear(layer + ".feed_forward.gate", shape.width, shape.feed_forward);
    shapes.linear(layer + ".feed_forward.outer", shape.feed_forward, shape.width);
    add_norm(shapes, layer + ".feed_forward_residual.norm", shape.width);
  }
  if (shape.has_final_norm()) add_norm(shapes, name + ".final_norm", shape.width);
}

}  // namespace

ParameterShapes::Map parameter_shapes(const TransformerShape& shape, const VocabularySize& size) {
  ParameterShapes shapes;
  shapes.vocabulary(shape.vocabulary, size, shape.decoder.width);
  const int64_t embedding = shape.vocabulary.embedding;
  add_stack(shapes, "encoder_" + shape.vocabulary.source, shape.encoder, embedding);
  add_stack(shapes, "decoder", shape.decoder, embedding);
  for (int64_t i = 0; i < shape.decoder.layers; ++i) {
    const std::string layer = fmt::format("decoder.layer_{}", i);
    add_attention(shapes, layer + ".attention", shape.decoder.width, shape.encoder.width);
    add_norm(shapes, layer + ".residual.norm", shape.decoder.width);
  }
  return shapes.take();
}

}  // namespace heed
