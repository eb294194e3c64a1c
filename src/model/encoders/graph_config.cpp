#include "model/encoders/graph_config.h"

#include "config/sizes.h"
#include "nn/attention/readouts/weighted_sum_config.h"
#include "nn/attention/scores/graph_config.h"
#include "nn/attention/staged_config.h"

namespace heed {

namespace {

AttentionDims dims_of_width(int64_t width) {
  return {.place = Place::kEncoderSelf, .query = width, .source = {.key = width, .value = width}};
}

}  // namespace

GraphEncoderConfig::GraphEncoderConfig() {
  const auto graph = make_kind<GraphConfig>("graph");
  graph->project = false;
  const auto sum =
      std::dynamic_pointer_cast<WeightedSumConfig>(fresh_kind(readouts(), "weighted_sum"));
  sum->project = false;
  const auto attention = std::make_shared<StagedConfig>();
  attention->score = graph;
  attention->read = sum;
  attention->terms = {fresh_kind(terms(), "edges")};
  attention->heads = 8;
  self_attention = attention;
}

void GraphEncoderConfig::fields(Fields& f) {
  f.field("layers", layers, kLayers, "number of layers");
  f.field("width", width, kWidths, "width of the states, all heads together");
  f.field("average", average,
          "the heads of the last layer are averaged, without ELU, instead of concatenated");
  f.field("dropout", dropout, kDropout, "dropout probability of the input of a layer");
  f.one_of("self_attention", self_attention, attentions(),
           "self-attention of W h; its own projections are off by default, so that query, key and "
           "value have one W");
  f.may_change(ChangeAt::kPhase, {"dropout"});
}

int64_t GraphEncoderConfig::heads() const {
  return std::max<int64_t>(1, self_attention->weight_heads(dims_of_width(width)));
}

AttentionDims GraphEncoderConfig::attention_dims(int64_t layer) const {
  return dims_of_width(averages(layer) ? heads() * width : width);
}

void GraphEncoderConfig::check(int64_t, Problems& problems) const {
  ProblemsAt at(problems, "self_attention");
  const auto check_layer = [&](int64_t layer) {
    const AttentionDims dims = attention_dims(layer);
    self_attention->check(dims, at);
    if (self_attention->context_width(dims) == dims.query) return;
    at.add("", fmt::format("gives {} features, but W h has {}: make them equal",
                           self_attention->context_width(dims), dims.query));
  };
  check_layer(0);
  if (averages(layers - 1) && layers > 1) check_layer(layers - 1);
}

SourceDims GraphEncoderConfig::dims(int64_t) const {
  return {.source = {.key = width, .value = width}, .cell = "", .layers = 1, .final_width = width};
}

namespace kinds {
Kind<EncoderConfig> graph_encoder() {
  return kind<GraphEncoderConfig, EncoderConfig>(
      "graph", "graph attention network over the edges of a sentence (GAT, Veličković 2018)");
}
}  // namespace kinds

}  // namespace heed
