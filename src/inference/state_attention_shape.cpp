#include "inference/state_attention_shape.h"

#include "inference/plain_attention.h"
#include "nn/attention/scores/additive_config.h"
#include "nn/attention/scores/location_config.h"
#include "nn/attention/scores/projected_config.h"

namespace heed {

namespace {

using Score = StateAttentionShape::Score;

// score: location
bool reads_coverage_alone(const ScorerConfig& score) {
  return dynamic_cast<const LocationConfig&>(score).features->type == "coverage";
}

// True if the values have another width than the context vector.
bool has_own_width(const WeightedSumConfig& read, int64_t heads, const SourceSpec& source) {
  StageDims dims;
  dims.source = source;
  dims.heads = heads;
  dims.project = heads > 1;
  return read.width_of_heads(dims) != read.context_width(dims);
}

}  // namespace

std::optional<StateAttentionShape> state_attention_shape(const AttentionConfig& config,
                                                         int64_t query, const SourceSpec& source) {
  if (!config.reads()) return StateAttentionShape{};
  const auto plain = plain_attention(config);
  if (!plain) return std::nullopt;
  const int64_t heads = plain->staged.heads;
  const std::string& score = plain->score.type;
  StateAttentionShape shape;
  shape.heads = heads;
  shape.key = source.key;
  shape.value = source.value;
  shape.query = shape.width = query;
  shape.projects_values = plain->read->project.value_or(heads > 1);
  if (has_own_width(*plain->read, heads, source)) return std::nullopt;
  if (score == "dot" || score == "scaled_dot") {
    const auto& dot = dynamic_cast<const ProjectedConfig&>(plain->score);
    shape.score = Score::kDot;
    shape.projects = dot.project.value_or(heads > 1);
    shape.scales = score == "scaled_dot";
    if (shape.projects && dot.width > 0) shape.width = dot.width;
  } else if (score == "additive" || score == "concat" || score == "location") {
    const auto& additive = dynamic_cast<const AdditiveConfig&>(plain->score);
    if (additive.normalize || additive.layer_norm) return std::nullopt;
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

namespace {

void add_scores(ParameterShapes& shapes, const names::AttentionNames& name,
                const StateAttentionShape& shape) {
  const int64_t query = shape.query, key = shape.key, width = shape.width;
  switch (shape.score) {
    case Score::kNone:
      return;
    case Score::kDot:
      if (!shape.projects) return;
      shapes.linear(name.query, query, width);
      shapes.linear(name.key, key, width);
      return;
    case Score::kGeneral:
      shapes.add(names::weight(name.key), {query, key});
      return;
    case Score::kAdditive:
      shapes.add(names::weight(name.query), {width, query});
      if (shape.query_bias) shapes.add(names::bias(name.query), {width});
      shapes.add(names::weight(name.key), {width, key});
      shapes.add(name.v, {width});
      if (shape.has_coverage) shapes.add(name.coverage, {width});
      return;
  }
}

}  // namespace

void add_parameters(ParameterShapes& shapes, const std::string& name,
                    const StateAttentionShape& shape) {
  const names::AttentionNames own(name);
  add_scores(shapes, own, shape);
  if (!shape.projects_values) return;
  shapes.linear(own.value, shape.value, shape.value);
  shapes.linear(own.output, shape.value, shape.value);
}

}  // namespace heed
