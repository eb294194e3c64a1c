#include "inference/recurrent_shape.h"

#include <fmt/format.h>

#include <string>

#include "inference/plain_attention.h"
#include "nn/attention/scores/additive_config.h"
#include "nn/attention/scores/location_config.h"
#include "nn/attention/scores/projected_config.h"

namespace heed {

namespace {

using Score = RecurrentAttentionShape::Score;

bool is_supported(const RnnDecoderConfig& config) {
  return !config.layer_norm && !config.deep_context && config.transition_depth == 1 &&
         config.base_depth() == 1 && config.attend != RnnDecoderConfig::Attend::kConditional &&
         config.attend != RnnDecoderConfig::Attend::kDeepFusion && !config.past &&
         !config.intra_attention && !config.adaptive;
}

// score: location
bool reads_coverage_alone(const ScorerConfig& score) {
  return dynamic_cast<const LocationConfig&>(score).features->type == "coverage";
}

// query: width of the states that it reads.
std::optional<RecurrentAttentionShape> attention_shape(const AttentionConfig& config,
                                                       int64_t query) {
  if (!config.reads()) return RecurrentAttentionShape{};
  const auto plain = plain_attention(config);
  if (!plain) return std::nullopt;
  const int64_t heads = plain->staged.heads;
  const std::string& score = plain->score.type;
  RecurrentAttentionShape shape;
  shape.heads = heads;
  shape.query = shape.width = query;
  shape.projects_values = plain->read->project.value_or(heads > 1);
  if (score == "dot" || score == "scaled_dot") {
    const auto& dot = dynamic_cast<const ProjectedConfig&>(plain->score);
    shape.score = Score::kDot;
    shape.projects = dot.project.value_or(heads > 1);
    shape.scales = score == "scaled_dot";
    if (shape.projects && dot.width > 0) shape.width = dot.width;
  } else if (score == "additive" || score == "concat" || score == "location") {
    const auto& additive = dynamic_cast<const AdditiveConfig&>(plain->score);
    if (additive.normalize) return std::nullopt;
    shape.score = Score::kAdditive;
    shape.width = additive.hidden;
    shape.query_bias = score != "concat";
    shape.has_coverage = score == "location";
    if (shape.has_coverage && !reads_coverage_alone(plain->score)) return std::nullopt;
  } else if (score == "general") {
    shape.score = Score::kGeneral;
  } else {
    return std::nullopt;
  }
  return shape;
}

}  // namespace

std::optional<RecurrentShape> recurrent_shape(const ModelConfig& model,
                                              const VocabularyShape& vocabulary) {
  const auto* decoder = dynamic_cast<const RnnDecoderConfig*>(model.decoder.get());
  if (decoder == nullptr || !is_supported(*decoder)) return std::nullopt;
  const auto encoder = encoder_shape(model);
  const auto attention = attention_shape(*decoder->attention, decoder->state_width());
  if (!encoder || !attention) return std::nullopt;
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

int64_t RecurrentShape::context_width() const {
  return attention.score == Score::kNone ? 0 : encoder.width();
}

bool RecurrentShape::has_weights() const {
  return attention.score != Score::kNone || vocabulary.output.as<HardMonotonicShape>() != nullptr;
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

namespace {

void add_scores(ParameterShapes& shapes, const names::AttentionNames& name,
                const RecurrentShape& shape) {
  const RecurrentAttentionShape& attention = shape.attention;
  const int64_t query = attention.query, key = shape.encoder.width(), width = attention.width;
  switch (attention.score) {
    case Score::kNone:
      return;
    case Score::kDot:
      if (!attention.projects) return;
      shapes.linear(name.query, query, width);
      shapes.linear(name.key, key, width);
      return;
    case Score::kGeneral:
      shapes.add(names::weight(name.key), {query, key});
      return;
    case Score::kAdditive:
      shapes.add(names::weight(name.query), {width, query});
      if (attention.query_bias) shapes.add(names::bias(name.query), {width});
      shapes.add(names::weight(name.key), {width, key});
      shapes.add(name.v, {width});
      if (attention.has_coverage) shapes.add(name.coverage, {width});
      return;
  }
}

}  // namespace

ParameterShapes::Map parameter_shapes(const RecurrentShape& shape, const VocabularySize& size) {
  const RecurrentDecoderShape& decoder = shape.decoder;
  ParameterShapes shapes;
  shapes.vocabulary(shape.vocabulary, size);
  add_encoder(shapes, shape.encoder, shape.vocabulary);
  for (int64_t i = 0; i < decoder.layers; ++i)
    add_cell(shapes, names::layer(names::kDecoder, i), decoder.cell,
             i == 0 ? shape.cell_input() : decoder.width, decoder.width);
  const names::AttentionNames attention(names::kDecoderAttention);
  add_scores(shapes, attention, shape);
  if (shape.attention.projects_values) {
    shapes.linear(attention.value, shape.encoder.width(), shape.encoder.width());
    shapes.linear(attention.output, shape.encoder.width(), shape.encoder.width());
  }
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
