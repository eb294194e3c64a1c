#include "model/joiners/co_attention.h"

#include "nn/torch.h"

#include "config/older.h"
#include "config/sizes.h"
#include "nn/linear.h"
#include "nn/needs.h"

namespace heed {

namespace {

using Grain = CoAttentionConfig::Grain;
using Order = CoAttentionConfig::Order;
using Aggregate = CoAttentionConfig::Aggregate;

// The mean of the states, as one position.
Source mean_of(const Source& source) {
  return make_source(mean_state(source.keys, source.mask).unsqueeze(1),  // [R,1,W]
                     source.lengths.clamp_max(1));
}

class CoAttention final : public Joiner {
 public:
  CoAttention(const CoAttentionConfig& config, int64_t width) : config_(config) {
    attention_ =
        register_module("attention", config.attention->build(config.attention_dims(width)));
    attend_ = rectified_layers("attend", width, config.hidden);  // F
    compare_ = rectified_layers("compare", 2 * width, width);    // G
  }

  EncoderOutput join(EncoderOutput encoded, const Pass& pass) override {
    auto first = encoded.sources.begin(), second = std::next(first);
    const bool coarse = config_.grain == Grain::kCoarse;
    Source a = first->second.source, b = second->second.source;
    const Source reading_a = coarse ? mean_of(a) : a, reading_b = coarse ? mean_of(b) : b;
    const Names ab{first->first, second->first}, ba{second->first, first->first};
    // Context vectors of each source over the other.
    const Tensor in_a = read(reading_b, a, ba, pass, encoded);
    const Source new_b = compared(reading_b, in_a, pass);
    const bool in_turn = config_.order == Order::kInTurn;
    const Tensor in_b = read(reading_a, in_turn ? new_b : b, ab, pass, encoded);
    const Source new_a = compared(reading_a, in_b, pass);
    FinalState last;
    last.hidden = {torch::cat({aggregated(new_a), aggregated(new_b)}, 1)};  // [R,2W]
    replace(first->second, new_a, last);
    replace(second->second, new_b, last);
    return encoded;
  }

 private:
  struct Names {
    std::string reader, read;
  };
  using Layers = std::vector<Linear>;

  Layers rectified_layers(const std::string& name, int64_t from, int64_t to) {
    Layers layers;
    for (int64_t i = 0; i < config_.layers; ++i) {
      layers.push_back(
          Linear(*this, i == 0 ? name : fmt::format("{}_{}", name, i), i == 0 ? from : to, to));
    }
    return layers;
  }

  Tensor through(Layers& layers, Tensor x, const Pass& pass) const {
    for (auto& layer : layers) x = torch::relu(layer(dropout(x, config_.dropout, pass)));
    return x;
  }

  // Context vectors [R,S,W] of the positions of one source over the other; those of padding are
  // ignored.
  Tensor read(const Source& reader, const Source& other, const Names& names, const Pass& pass,
              EncoderOutput& output) {
    const auto prepared = [&](const Tensor& x) { return through(attend_, x, pass); };
    Source memory = other;
    memory.keys = prepared(other.keys);
    State state(attention_->layout(), reader.keys.size(0), pass, reader.keys.device());
    attention_->start({{names.read, memory}}, state.view());
    Attended attended = attention_->attend(prepared(reader.keys), reader.positions, state.view());
    name_source(attended, names.read);
    return output.take({.place = Place::kCoAttention, .reader = names.reader}, std::move(attended),
                       reader.mask, pass);
  }

  Source compared(const Source& own, const Tensor& found, const Pass& pass) {
    const Tensor states = through(compare_, torch::cat({own.keys, found}, 2), pass)
                              .masked_fill(~own.mask.unsqueeze(2), 0);
    Source compared = make_source(states, own.lengths);
    compared.features = own.features;
    return compared;
  }

  // Padding is 0.  [R,W]
  Tensor aggregated(const Source& source) const {
    if (config_.aggregate == Aggregate::kSum) return source.keys.sum(1);
    return mean_state(source.keys, source.mask);
  }

  void replace(EncodedSource& encoded, const Source& source, const FinalState& last) const {
    if (config_.grain == Grain::kCoarse) {
      encoded.pool(source,
                   uniform_weights(encoded.source.mask, source.keys).unsqueeze(1));  // [R,1,S]
    } else {
      encoded.source = source;
    }
    encoded.final_state = last;
  }

  CoAttentionConfig config_;
  std::shared_ptr<Attention> attention_;
  Layers attend_, compare_;
};

}  // namespace

void CoAttentionConfig::fields(Fields& f) const {
  static const Words<Grain> grains = {{"fine", Grain::kFine}, {"coarse", Grain::kCoarse}};
  static const Words<Order> orders = {{"parallel", Order::kParallel}, {"in_turn", Order::kInTurn}};
  static const Words<Aggregate> aggregates = {{"sum", Aggregate::kSum}, {"mean", Aggregate::kMean}};
  f.choice(
      "grain", grain, grains,
      "fine: every position attends to the other source; coarse: the mean of all positions does");
  renamed(f, "order", "alternating", "in_turn");
  f.choice("order", order, orders,
           "parallel, or in_turn: the first source attends to the updated second one");
  f.choice("aggregate", aggregate, aggregates, "aggregation of the positions of a sentence");
  f.field("hidden", hidden, kWidths, "width of the hidden layers");
  earlier(f, "layers", layers, 1);
  f.field("layers", layers, kLayers, "rectified layers of F, and of G");
  f.field("dropout", dropout, kDropout, "dropout probability before each layer");
  f.one_of("attention", attention, attentions(), "attention of each source over the other");
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
    own.source = {.key = dims.source.key,
                  .value = dims.source.key,
                  .ordered = dims.source.ordered && grain == Grain::kFine};
    own.final_width = 2 * dims.source.key;
    own.of_text = dims.of_text && grain == Grain::kFine;
  }
  return joined;
}

std::shared_ptr<Joiner> CoAttentionConfig::build(const AllSourceDims& sources) const {
  return std::make_shared<CoAttention>(*this, sources.begin()->second.source.key);
}

}  // namespace heed
