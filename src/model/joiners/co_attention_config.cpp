#include "model/joiners/co_attention_config.h"

#include "config/sizes.h"
#include "nn/needs_spec.h"

namespace heed {

namespace {

using Grain = CoAttentionConfig::Grain;
using Order = CoAttentionConfig::Order;
using Aggregate = CoAttentionConfig::Aggregate;

}  // namespace

void CoAttentionConfig::fields(Fields& f) {
  static const Words<Grain> grains = {{"fine", Grain::kFine}, {"coarse", Grain::kCoarse}};
  static const Words<Order> orders = {{"parallel", Order::kParallel}, {"in_turn", Order::kInTurn}};
  static const Words<Aggregate> aggregates = {{"sum", Aggregate::kSum}, {"mean", Aggregate::kMean}};
  f.choice(
      "grain", grain, grains,
      "fine: every position attends to the other source; coarse: the mean of all positions does");
  f.choice("order", order, orders,
           "parallel, or in_turn: the first source attends to the updated second one");
  f.choice("aggregate", aggregate, aggregates, "aggregation of the positions of a sentence");
  f.field("hidden", hidden, kWidths, "width of the layers of F and H");
  f.field("layers", layers, kLayers, "rectified layers of F, and of G");
  f.field("compared", compared, kWidthsOrNone,
          "width of the layers of G and of the compared states; 0: that of the encoder states");
  f.field(
      "summary_layers", summary_layers, IntRange{0, kLayers.high},
      "rectified layers of H over both aggregated sentences, from which the decoder starts; 0: it "
      "starts from the sentences themselves");
  f.field("dropout", dropout, kDropout, "dropout probability before each layer");
  f.one_of("attention", attention, attentions(), "attention of each source over the other");
  f.may_change(ChangeAt::kPhase, {"dropout"});
}

AttentionDims CoAttentionConfig::attention_dims(int64_t width) const {
  return {.place = Place::kCross, .query = hidden, .source = {.key = hidden, .value = width}};
}

void CoAttentionConfig::check(const AllSourceDims& sources, Problems& problems) const {
  if (sources.size() != 2) {
    problems.add("", fmt::format("needs two sources, found {}", sources.size()));
    return;
  }
  const auto& [a, first] = *sources.begin();
  const auto& [b, second] = *sources.rbegin();
  if (first.source.key != second.source.key || first.source.key != first.source.value ||
      second.source.key != second.source.value) {
    problems.add("", fmt::format("needs encoders of equal width, but {} has width {} and {} has {}",
                                 a, first.source.key, b, second.source.key));
    return;
  }
  if (order == Order::kInTurn && compared_width(first.source.key) != first.source.key)
    problems.add("compared",
                 fmt::format("is {}, but with order: in_turn the compared states are read like the "
                             "encoder states, whose width is {}: leave it out",
                             compared, first.source.key));
  ProblemsAt inner(problems, "attention");
  if (needs_of(*attention).tag)
    inner.add("", "tags are not available here: use task_specific in the decoder");
  const AttentionDims own = attention_dims(first.source.key);
  attention->check(own, inner);
  if (attention->context_width(own) != first.source.key)
    inner.add("",
              fmt::format(
                  "has context vectors of width {}, but the states have width {}: make them equal",
                  attention->context_width(own), first.source.key));
}

AllSourceDims CoAttentionConfig::dims(const AllSourceDims& sources) const {
  AllSourceDims joined;
  for (const auto& [name, dims] : sources) {
    SourceDims& own = joined[name];
    const int64_t width = compared_width(dims.source.key);
    own.source = {
        .key = width, .value = width, .ordered = dims.source.ordered && grain == Grain::kFine};
    own.final_width = summary_layers > 0 ? hidden : 2 * width;
    own.of_text = dims.of_text && grain == Grain::kFine;
  }
  return joined;
}

namespace kinds {
Kind<JoinerConfig> co_attention() {
  return kind<CoAttentionConfig, JoinerConfig>("co_attention",
                                               "co-attention of two sources (Parikh 2016)");
}
}  // namespace kinds

}  // namespace heed
