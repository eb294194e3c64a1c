#include "inference/joiner_shape.h"

#include "model/joiners/co_attention_config.h"

namespace heed {

namespace {

std::optional<JoinerShape> co_attention_shape(const CoAttentionConfig& config, int64_t width) {
  if (config.grain != CoAttentionConfig::Grain::kFine || !config.attention->reads())
    return std::nullopt;
  auto attention = state_attention_shape(*config.attention, config.hidden,
                                         {.key = config.hidden, .value = width});
  if (!attention || attention->has_coverage) return std::nullopt;
  return CoAttentionShape{.width = width,
                          .hidden = config.hidden,
                          .compared = config.compared_width(width),
                          .layers = config.layers,
                          .summary_layers = config.summary_layers,
                          .in_turn = config.order == CoAttentionConfig::Order::kInTurn,
                          .takes_mean = config.aggregate == CoAttentionConfig::Aggregate::kMean,
                          .attention = *attention};
}

}  // namespace

std::optional<JoinerShape> joiner_shape(const ModelConfig& model, const ModelPlan& plan) {
  if (!model.join) return NoJoinerShape();
  const SourceDims& dims = plan.sources.front().dims;
  if (const auto* config = dynamic_cast<const CoAttentionConfig*>(model.join.get()))
    return co_attention_shape(*config, dims.source.key);
  LastStatesShape shape{
      .sources = std::ssize(plan.sources), .layers = dims.layers, .width = dims.final_width};
  if (model.join->type == "basic") return shape;
  if (model.join->type != "child_sum") return std::nullopt;
  shape.kind = LastStatesShape::Kind::kChildSum;
  return shape;
}

namespace {

void add(ParameterShapes& shapes, const LastStatesShape& shape) {
  const int64_t width = shape.width, all = shape.sources * width;
  for (int64_t layer = 0; layer < shape.layers; ++layer) {
    if (shape.kind == LastStatesShape::Kind::kBasic) {
      shapes.linear(names::joined_hidden(layer), all, width);
      continue;
    }
    shapes.linear(names::joined_gates(layer), all, 3 * width);
    for (int64_t source = 0; source < shape.sources; ++source)
      shapes.linear(names::joined_forget(layer, source), width, width);
  }
}

void add(ParameterShapes& shapes, const CoAttentionShape& shape) {
  const auto rectified = [&](const char* name, int64_t layers, int64_t from, int64_t to) {
    for (int64_t i = 0; i < layers; ++i)
      shapes.linear(names::rectified(name, i), i == 0 ? from : to, to);
  };
  add_parameters(shapes, names::kCoAttention, shape.attention);
  rectified(names::kCoAttend, shape.layers, shape.width, shape.hidden);
  rectified(names::kCoCompare, shape.layers, 2 * shape.width, shape.compared);
  rectified(names::kCoSummarize, shape.summary_layers, 2 * shape.compared, shape.hidden);
}

void add(ParameterShapes&, const NoJoinerShape&) {}

}  // namespace

void add_joiner(ParameterShapes& shapes, const JoinerShape& shape) {
  std::visit([&](const auto& own) { add(shapes, own); }, shape);
}

}  // namespace heed
