#include "inference/recurrent_shape.h"

#include <fmt/format.h>

#include <string>

namespace heed {

int64_t gates_of(Cell cell) {
  switch (cell) {
    case Cell::kRnn:
      return 1;
    case Cell::kLstm:
      return 4;
    case Cell::kGru:
      return 3;
  }
  return 0;
}

int64_t RecurrentShape::cell_input() const {
  return vocabulary.embedding + (decoder.attends_before ? encoder.width : 0) +
         (decoder.input_feeding ? decoder.width : 0);
}

int64_t RecurrentShape::output_input() const {
  return decoder.width + encoder.width + (decoder.deep_output ? vocabulary.embedding : 0);
}

namespace {

void add_cell(ParameterShapes& shapes, const std::string& name, Cell cell, int64_t input,
              int64_t width) {
  const int64_t gates = gates_of(cell);
  shapes.add(name + ".weight_input", {gates, width, input});
  shapes.add(name + ".weight_hidden", {gates, width, width});
  shapes.add(name + ".bias_input", {gates * width});
  shapes.add(name + ".bias_hidden", {gates * width});
}

void add_encoder(ParameterShapes& shapes, const RecurrentShape& shape) {
  const RecurrentEncoderShape& encoder = shape.encoder;
  for (int64_t i = 0; i < encoder.layers; ++i) {
    const int64_t input = i == 0 ? shape.vocabulary.embedding : encoder.width;
    const std::string layer = fmt::format("encoder_{}.layer_{}", shape.vocabulary.source, i);
    add_cell(shapes, layer + "_forward", encoder.cell, input, encoder.cell_width());
    if (encoder.bidirectional)
      add_cell(shapes, layer + "_backward", encoder.cell, input, encoder.cell_width());
  }
}

void add_scores(ParameterShapes& shapes, const std::string& name, const RecurrentShape& shape) {
  const RecurrentAttentionShape& attention = shape.attention;
  const int64_t query = shape.decoder.width, key = shape.encoder.width, width = attention.width;
  switch (attention.score) {
    case RecurrentAttentionShape::Score::kDot:
      if (!attention.projects) return;
      shapes.linear(name + ".query", query, width);
      shapes.linear(name + ".key", key, width);
      return;
    case RecurrentAttentionShape::Score::kGeneral:
      shapes.add(name + ".key.weight", {query, key});
      return;
    case RecurrentAttentionShape::Score::kAdditive:
      shapes.add(name + ".query.weight", {width, query});
      if (attention.query_bias) shapes.add(name + ".query.bias", {width});
      shapes.add(name + ".key.weight", {width, key});
      shapes.add(name + ".v", {width});
      return;
  }
}

}  // namespace

ParameterShapes::Map parameter_shapes(const RecurrentShape& shape, const VocabularySize& size) {
  const RecurrentDecoderShape& decoder = shape.decoder;
  ParameterShapes shapes;
  shapes.vocabulary(shape.vocabulary, size, decoder.width);
  add_encoder(shapes, shape);
  for (int64_t i = 0; i < decoder.layers; ++i)
    add_cell(shapes, fmt::format("decoder.layer_{}", i), decoder.cell,
             i == 0 ? shape.cell_input() : decoder.width, decoder.width);
  add_scores(shapes, "decoder.attention.score", shape);
  if (shape.attention.projects_values) {
    shapes.linear("decoder.attention.read.value", shape.encoder.width, shape.encoder.width);
    shapes.linear("decoder.attention.read.output", shape.encoder.width, shape.encoder.width);
  }
  if (decoder.bridge == RecurrentDecoderShape::Bridge::kTanh) {
    for (int64_t part = 0; part < 2 * decoder.layers; ++part) {
      if (part % 2 == 0 || decoder.cell == Cell::kLstm)
        shapes.linear(fmt::format("decoder.bridge_{}", part), shape.encoder.width, decoder.width);
    }
  }
  if (decoder.bridge == RecurrentDecoderShape::Bridge::kShared)
    shapes.linear("decoder.bridge", shape.encoder.width, decoder.width);
  shapes.linear("decoder.output", shape.output_input(), shape.output_pieces() * decoder.width);
  return shapes.take();
}

}  // namespace heed
