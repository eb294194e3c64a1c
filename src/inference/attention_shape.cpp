#include "inference/attention_shape.h"

#include <cmath>

#include "inference/plain_attention.h"
#include "nn/attention/light_config.h"
#include "nn/attention/scores/dot_product_config.h"
#include "nn/attention/scores/relative_config.h"
#include "nn/attention/scores/rotary_config.h"
#include "nn/attention/terms/bucket_bias_config.h"

namespace heed {

namespace {

// Sets what depends on the score; false if it is another one.
bool set_score(MultiHeadShape& shape, const ScorerConfig& score, const StageDims& dims) {
  if (const auto* relative = dynamic_cast<const RelativeConfig*>(&score)) {
    shape.scale = 1 / std::sqrt(static_cast<double>(shape.width));
    shape.key_clip = relative->farthest;
    return true;
  }
  const auto* dot = dynamic_cast<const DotProductConfig*>(&score);
  if (dot == nullptr) return false;
  shape.scale = 1 / dot->divisor(dims);
  if (dot->query_key_norm->type == "l2") shape.norm = QueryKeyNorm::kL2;
  if (dot->query_key_norm->type == "rms") shape.norm = QueryKeyNorm::kRms;
  if (const auto* rotary = dynamic_cast<const RotaryConfig*>(&score)) {
    shape.rotation = rotary->frequencies(shape.width);
    shape.scale *= rotary->magnitude() * rotary->magnitude();
  }
  return true;
}

bool add_terms(MultiHeadShape& shape, const StagedConfig& staged, const AttentionDims& dims) {
  for (const auto& term : staged.terms) {
    DistanceTermShape own{.term = std::ssize(shape.terms)};
    if (const auto* bias = dynamic_cast<const BucketBiasConfig*>(term.get())) {
      own.buckets = bias->buckets;
      own.both = BucketBiasConfig::is_bidirectional(dims);
      own.first_distances = bias->first_distances(bias->buckets / (own.both ? 2 : 1));
    } else if (term->type != "alibi") {
      return false;
    }
    shape.terms.push_back(std::move(own));
  }
  return true;
}

}  // namespace

std::optional<MultiHeadShape> multi_head_shape(const AttentionConfig& attention,
                                               const AttentionDims& dims) {
  const StagedConfig* staged = softmax_attention(attention);
  if (staged == nullptr) return std::nullopt;
  const StageDims stage = staged->stage_dims(dims);
  const auto* score = dynamic_cast<const ProjectedConfig*>(staged->score.get());
  const auto read = std::dynamic_pointer_cast<WeightedSumConfig>(staged->read_or_default());
  if (score == nullptr || !read || !score->project.value_or(stage.project) ||
      !read->project.value_or(stage.project) ||
      (read->type != "weighted_sum" && read->type != "relative"))
    return std::nullopt;
  const int64_t width = score->width_of_heads(stage), values = read->width_of_heads(stage);
  if (width % stage.heads != 0 || values % stage.heads != 0 ||
      stage.heads % stage.key_value_heads != 0)
    return std::nullopt;
  MultiHeadShape shape{.heads = stage.heads,
                       .key_value_heads = stage.key_value_heads,
                       .width = width / stage.heads,
                       .value_width = values / stage.heads};
  if (read->type == "relative") shape.value_clip = read->clip().value_or(stage.clip.value_or(16));
  if (!set_score(shape, *score, stage) || !add_terms(shape, *staged, dims)) return std::nullopt;
  const bool has_positions = shape.has_distances() || !shape.rotation.empty();
  if (has_positions && dims.place == Place::kCross) return std::nullopt;
  return shape;
}

std::optional<SelfAttentionShape> self_attention_shape(const AttentionConfig& attention,
                                                       const AttentionDims& dims) {
  if (const auto heads = multi_head_shape(attention, dims)) return *heads;
  if (dims.place != Place::kDecoderSelf) return std::nullopt;
  if (attention.type == "ssru") return SsruShape();
  if (const auto* average = dynamic_cast<const AverageAttentionConfig*>(&attention))
    return AverageShape{average->feed_forward};
  return std::nullopt;
}

MultiHeadShape standard_attention(int64_t width, int64_t heads) {
  const int64_t own = width / heads;
  return {.heads = heads,
          .key_value_heads = heads,
          .width = own,
          .value_width = own,
          .scale = 1 / std::sqrt(static_cast<double>(own))};
}

MemoryWidths memory_widths(const SelfAttentionShape& shape) {
  const auto* heads = std::get_if<MultiHeadShape>(&shape);
  return heads == nullptr ? MemoryWidths() : MemoryWidths{heads->keys(), heads->values()};
}

void add_parameters(ParameterShapes& shapes, const names::AttentionNames& name,
                    const MultiHeadShape& shape, int64_t queries, int64_t keys) {
  shapes.linear(name.query, queries, shape.queries());
  shapes.linear(name.key, keys, shape.keys());
  shapes.linear(name.value, keys, shape.values());
  shapes.linear(name.output, shape.contexts(), queries);
  if (shape.norm == QueryKeyNorm::kL2) shapes.add(name.gain, {1});
  if (shape.norm == QueryKeyNorm::kRms) {
    for (const std::string& norm : {name.query_norm, name.key_norm})
      shapes.add(names::weight(norm), {shape.width});
  }
  if (shape.key_clip) shapes.add(name.key_table, {2 * *shape.key_clip + 1, shape.width});
  if (shape.value_clip)
    shapes.add(name.value_table, {2 * *shape.value_clip + 1, shape.value_width});
  for (const DistanceTermShape& term : shape.terms) {
    if (term.buckets > 0) shapes.add(name.term_bias(term.term), {term.buckets, shape.heads});
  }
}

void add_parameters(ParameterShapes& shapes, const names::TransformerLayerNames& layer,
                    const SelfAttentionShape& shape, int64_t width) {
  const names::LightAttentionNames& light = layer.light_attention;
  if (const auto* heads = std::get_if<MultiHeadShape>(&shape)) {
    add_parameters(shapes, layer.self_attention, *heads, width, width);
  } else if (const auto* average = std::get_if<AverageShape>(&shape)) {
    shapes.linear(light.inner, width, average->feed_forward);
    shapes.linear(light.outer, average->feed_forward, width);
    shapes.linear(light.gates, 2 * width, 2 * width);
  } else {
    shapes.linear(light.forget, width, width);
    shapes.add(names::weight(light.input), {width, width});
  }
}

}  // namespace heed
