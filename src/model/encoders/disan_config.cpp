#include "model/encoders/disan_config.h"

#include "config/sizes.h"
#include "nn/attention/staged_config.h"

namespace heed {

namespace {

using Fusion = DisanEncoderConfig::Fusion;
using Direction = DirectionalConfig::Direction;

}  // namespace

DisanEncoderConfig::DisanEncoderConfig() : self_attention(StagedConfig::with("multi_dim", 1)) {}

void DisanEncoderConfig::fields(Fields& f) {
  static const Words<Fusion> words = {{"gate", Fusion::kGate}, {"projected", Fusion::kProjected}};
  f.field("layers", layers, kLayers, "number of layers");
  f.field("width", width, kWidths,
          "width of the output; a bidirectional encoder has half of it in each direction");
  f.choice(
      "fusion", fusion, words,
      "fusion of a token with its context vector. gate: Shen 2018; projected: Im and Cho 2017");
  f.field("dropout", dropout, kDropout,
          "dropout probability of the input of a layer and of the output");
  f.one_of("self_attention", self_attention, attentions(),
           "self-attention; the direction is added to its terms");
  f.may_change(ChangeAt::kPhase, {"dropout"});
}

void DisanEncoderConfig::validate(Problems& problems) const {
  if (width % 2 == 1)
    problems.add("width", fmt::format("{} cannot be divided by two directions", width));
}

void DisanEncoderConfig::check(int64_t, Problems& problems) const {
  ProblemsAt at(problems, "self_attention");
  const auto* staged = dynamic_cast<const StagedConfig*>(self_attention.get());
  if (!staged) {
    at.add("type", fmt::format("{} has no terms, which set the direction: use staged",
                               self_attention->type));
    return;
  }
  for (const auto& term : staged->terms) {
    if (term->type == "directional")
      at.add("terms", "each block has a direction already: leave directional out");
  }
  if (staged->read && staged->read->type == "fusion_gate")
    at.add("read", "each block has a fusion gate already: leave fusion_gate out");
  const AttentionDims dims = block_dims();
  staged->check(dims, at);
  if (staged->context_width(dims) == width / 2) return;
  at.add("",
         fmt::format("gives {} features, but half of the encoder's width is {}: make them equal",
                     staged->context_width(dims), width / 2));
}

SourceDims DisanEncoderConfig::dims(int64_t) const {
  return {.source = {.key = width, .value = width}, .cell = "", .layers = 1, .final_width = width};
}

AttentionDims DisanEncoderConfig::block_dims() const {
  return {.place = Place::kEncoderSelf,
          .query = width / 2,
          .source = {.key = width / 2, .value = width / 2}};
}

std::shared_ptr<AttentionConfig> DisanEncoderConfig::one_way(Direction direction) const {
  auto term = make_kind<DirectionalConfig>("directional");
  term->direction = direction;
  auto config = std::make_shared<StagedConfig>(dynamic_cast<const StagedConfig&>(*self_attention));
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
