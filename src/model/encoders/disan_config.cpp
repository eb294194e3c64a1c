#include "model/encoders/disan_config.h"

#include "config/sizes.h"
#include "nn/attention/staged_config.h"

namespace heed {

namespace {

using Fusion = DisanEncoderConfig::Fusion;
using Directions = DisanEncoderConfig::Directions;
using Direction = DirectionalConfig::Direction;

}  // namespace

DisanEncoderConfig::DisanEncoderConfig() : self_attention(StagedConfig::with("multi_dim", 1)) {}

void DisanEncoderConfig::fields(Fields& f) {
  static const Words<Fusion> words = {{"gate", Fusion::kGate},
                                      {"projected", Fusion::kProjected},
                                      {"normalized", Fusion::kNormalized}};
  static const Words<Directions> direction_words = {{"both", Directions::kBoth},
                                                    {"none", Directions::kNone}};
  f.field("layers", layers, kLayers, "number of layers");
  f.field("width", width, kWidths,
          "width of the output; a bidirectional encoder has half of it in each direction");
  f.choice(
      "directions", directions, direction_words,
      "both: a forward and a backward block; none: one block without a directional mask, as in "
      "ReSAN (Shen 2018)");
  f.field("input_layer", input_layer,
          "a block begins with ELU(W x + b); false: the attention reads x (Im and Cho 2017)");
  f.choice(
      "fusion", fusion, words,
      "fusion of a token with its context vector. gate: Shen 2018; normalized: Im and Cho 2017; "
      "projected: the same with token and context vector exchanged, and without layer "
      "normalization");
  f.field("feed_forward", feed_forward, kWidthsOrNone,
          "width of a position-wise feed-forward layer with residual connection and layer "
          "normalization at the end of a block (Im and Cho 2017); 0: none");
  f.field("dropout", dropout, kDropout,
          "dropout probability of the input of a layer and of the output");
  f.one_of("self_attention", self_attention, attentions(),
           "self-attention; the direction is added to its terms");
  f.may_change(ChangeAt::kPhase, {"dropout"});
}

void DisanEncoderConfig::validate(Problems& problems) const {
  if (directions == Directions::kBoth && width % 2 == 1)
    problems.add("width", fmt::format("{} cannot be divided by two directions", width));
}

void DisanEncoderConfig::check(int64_t input, Problems& problems) const {
  if (!input_layer && input != block_width())
    problems.add("input_layer", fmt::format("false needs an input as wide as a block, but the "
                                            "embeddings have width {} and a block has {}: make "
                                            "them equal",
                                            input, block_width()));
  if (!input_layer && layers > 1 && directions == Directions::kBoth)
    problems.add(
        "input_layer",
        "false needs an input as wide as a block, but the layers above the first read both "
        "directions: use one layer");
  ProblemsAt at(problems, "self_attention");
  const auto* staged = dynamic_cast<const StagedConfig*>(self_attention.get());
  if (!staged) {
    at.add("type", fmt::format("{} has no terms, which set the direction: use staged",
                               self_attention->type));
    return;
  }
  for (const auto& term : staged->terms) {
    if (term->type == "causal" && directions == Directions::kBoth)
      at.add("terms", "each block has a direction already: leave causal out");
    if (term->type == "directional")
      at.add("terms", directions == Directions::kBoth
                          ? "each block has a direction already: leave directional out"
                          : "the blocks have no direction: use directions: both");
  }
  if (staged->read && staged->read->type == "fusion_gate")
    at.add("read", "each block has a fusion gate already: leave fusion_gate out");
  const AttentionDims dims = block_dims();
  staged->check(dims, at);
  if (staged->context_width(dims) == block_width()) return;
  at.add("", fmt::format("gives {} features, but the width of a block is {}: make them equal",
                         staged->context_width(dims), block_width()));
}

SourceDims DisanEncoderConfig::dims(int64_t) const {
  return {.source = {.key = width, .value = width}, .cell = "", .layers = 1, .final_width = width};
}

std::vector<DisanEncoderConfig::BlockDirection> DisanEncoderConfig::blocks() const {
  if (directions == Directions::kNone) return {std::nullopt};
  return {Direction::kForward, Direction::kBackward};
}

AttentionDims DisanEncoderConfig::block_dims() const {
  return {.place = Place::kEncoderSelf,
          .query = block_width(),
          .source = {.key = block_width(), .value = block_width()}};
}

std::shared_ptr<AttentionConfig> DisanEncoderConfig::one_way(BlockDirection direction) const {
  auto config = std::make_shared<StagedConfig>(dynamic_cast<const StagedConfig&>(*self_attention));
  if (!direction) return config;
  auto term = make_kind<DirectionalConfig>("directional");
  term->direction = *direction;
  config->terms.insert(config->terms.begin(), term);
  return config;
}

namespace kinds {
Kind<EncoderConfig> disan_encoder() {
  return kind<DisanEncoderConfig, EncoderConfig>(
      "disan", "directional self-attention with fusion gates (DiSAN, Shen 2018)");
}
}  // namespace kinds

}  // namespace heed
