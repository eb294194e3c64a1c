#include "inference/transformer_keys.h"

#include <map>
#include <string>

#include "config/sizes.h"

namespace heed {

namespace {

using Activation = StackShape::Activation;
using Positions = StackShape::Positions;
using Sinusoids = StackShape::Sinusoids;

struct PositionKeys : PlainKeys {
  explicit PositionKeys(Positions kind) : kind(kind) {}
  Positions kind;
  Sinusoids layout = Sinusoids::kInterleaved;
  int64_t max_positions = 0;
};
struct NoPositions final : PositionKeys {
  NoPositions() : PositionKeys(Positions::kNone) {}
};
struct SinusoidalPositions final : PositionKeys {
  SinusoidalPositions() : PositionKeys(Positions::kSinusoidal) {}
  void fields(Fields& f) const override {
    static const Words<Sinusoids> layouts = {{"interleaved", Sinusoids::kInterleaved},
                                             {"halves", Sinusoids::kHalves},
                                             {"fairseq", Sinusoids::kFairseq},
                                             {"opennmt_tf", Sinusoids::kOpennmtTf}};
    f.choice("layout", layout, layouts, kNoHelp);
  }
};
struct LearnedPositions final : PositionKeys {
  LearnedPositions() : PositionKeys(Positions::kLearned) {}
  void fields(Fields& f) const override {
    f.field("max_positions", max_positions, kTablePositions, kNoHelp);
  }
};

struct StackKeys : PlainKeys {
  StackShape shape;
  std::string norm = "pre";
  std::shared_ptr<PositionKeys> positions;
  std::shared_ptr<AttentionKeys> self_attention;
  std::map<std::string, std::shared_ptr<PlainKeys>> by_layer;  // must be empty
  double dropout = 0, activation_dropout = 0, layer_dropout = 0;
  void fields(Fields& f) const override {
    static const Words<Activation> activations = {{"relu", Activation::kRelu},
                                                  {"gelu", Activation::kGelu},
                                                  {"silu", Activation::kSilu},
                                                  {"gated", Activation::kGated}};
    static const Words<bool> norms = {{"pre", false}, {"post", true}};
    static const Registry<PositionKeys> position_kinds = {
        kind<SinusoidalPositions, PositionKeys>("sinusoidal", kNoHelp),
        kind<LearnedPositions, PositionKeys>("learned", kNoHelp),
        kind<NoPositions, PositionKeys>("none", kNoHelp)};
    f.field("layers", shape.layers, kLayers, kNoHelp);
    f.field("width", shape.width, kWidths, kNoHelp);
    f.field("feed_forward", shape.feed_forward, kWidths, kNoHelp);
    f.choice("activation", shape.activation, activations, kNoHelp);
    f.choice("norm", shape.post_norm, norms, kNoHelp);
    f.field("final_norm", shape.final_norm, kNoHelp);
    f.one_of("positions", positions, position_kinds, kNoHelp);
    f.field("scale_embedding", shape.scale_embedding, kNoHelp);
    f.field("dropout", dropout, kDropout, kNoHelp);
    f.field("activation_dropout", activation_dropout, kDropout, kNoHelp);
    f.field("layer_dropout", layer_dropout, kDropout, kNoHelp);
    f.one_of("self_attention", self_attention, attention_key_kinds(), kNoHelp);
    f.map_of("self_attention_by_layer", by_layer, no_kinds(), kNoHelp);
  }
  StackShape resolved() const {
    StackShape result = shape;
    result.heads = static_cast<const StagedKeys&>(*self_attention).heads;
    result.positions = positions->kind;
    result.layout = positions->layout;
    result.max_positions = positions->max_positions;
    return result;
  }
};

struct DecoderStackKeys final : StackKeys {
  std::shared_ptr<AttentionKeys> attention;
  void fields(Fields& f) const override {
    StackKeys::fields(f);
    f.one_of("attention", attention, attention_key_kinds(), kNoHelp);
    f.map_of("attention_by_layer", by_layer, no_kinds(), kNoHelp);
  }
};

// True for scaled dot-product attention with queries, keys, values and output projected to the
// model width.
bool is_standard(const AttentionKeys& attention, int64_t block) {
  const auto& staged = static_cast<const StagedKeys&>(attention);
  if (staged.score->type != "scaled_dot") return false;
  const auto& dot = static_cast<const ProductScoreKeys&>(*staged.score);
  const auto& sum = static_cast<const WeightedSumKeys&>(*staged.read);
  return dot.project.value_or(true) && sum.project.value_or(true) &&
         (dot.width == 0 || dot.width == block) && block % staged.heads == 0;
}

}  // namespace

Kind<PlainKeys> transformer_encoder_keys() {
  return kind<StackKeys, PlainKeys>("transformer", kNoHelp);
}

Kind<PlainKeys> transformer_decoder_keys() {
  return kind<DecoderStackKeys, PlainKeys>("transformer", kNoHelp);
}

std::optional<TransformerShape> transformer_shape_of(const VocabularyShape& vocabulary,
                                                     const PlainKeys& encoder_keys,
                                                     const PlainKeys& decoder_keys) {
  const auto* encoder = dynamic_cast<const StackKeys*>(&encoder_keys);
  const auto* decoder = dynamic_cast<const DecoderStackKeys*>(&decoder_keys);
  if (encoder == nullptr || decoder == nullptr) return std::nullopt;
  if (!is_standard(*encoder->self_attention, encoder->shape.width) ||
      !is_standard(*decoder->self_attention, decoder->shape.width) ||
      !is_standard(*decoder->attention, decoder->shape.width))
    return std::nullopt;
  return TransformerShape{.vocabulary = vocabulary,
                          .encoder = encoder->resolved(),
                          .decoder = decoder->resolved(),
                          .cross_heads = static_cast<const StagedKeys&>(*decoder->attention).heads};
}

}  // namespace heed
