#include "model/encoders/embeddings_config.h"

#include "config/idle.h"
#include "config/sizes.h"
#include "nn/attention/terms/distance_bias_config.h"

namespace heed {

IntraAttentionConfig::IntraAttentionConfig() {
  const auto distance = make_kind<DistanceBiasConfig>("distance_bias");
  distance->beyond = 11;  // the paper's bias is the same for distances greater than 10
  const auto dot = StagedConfig::with("dot", 1);
  dot->terms = {distance};
  attention = dot;
}

void IntraAttentionConfig::fields(Fields& f) {
  f.field("hidden", hidden, kWidths, "width of the layers of F");
  f.field("layers", layers, kLayers, "rectified layers of F");
  f.field("dropout", dropout, kDropout, "dropout probability before each layer");
  f.one_of("attention", attention, attentions(), "self-attention");
  f.may_change(ChangeAt::kPhase, {"dropout"});
}

AttentionDims IntraAttentionConfig::attention_dims(int64_t width) const {
  return {.place = Place::kEncoderSelf, .query = hidden, .source = {.key = hidden, .value = width}};
}

void EmbeddingsEncoderConfig::fields(Fields& f) {
  position_fields(f);
  f.field("from_end", from_end,
          "count the positions from the last one, as distances from a question behind the text "
          "(Sukhbaatar 2015)");
  if (positions->kind == PositionKind::kNone) idle(f, "from_end", "with `positions: none`");
  f.field("dropout", dropout, kDropout, "dropout probability of the embeddings");
  f.section(
      "intra_attention", intra_attention,
      "intra-sentence attention: its context vector is concatenated to each embedding (Parikh "
      "2016)");
  f.may_change(ChangeAt::kPhase, {"dropout"});
}

void EmbeddingsEncoderConfig::check(int64_t input, Problems& problems) const {
  if (!intra_attention) return;
  ProblemsAt at(problems, "intra_attention.attention");
  intra_attention->attention->check(intra_attention->attention_dims(input), at);
}

void EmbeddingsEncoderConfig::check_causal(Problems& problems) const {
  if (from_end && positions->kind != PositionKind::kNone)
    problems.add("from_end",
                 "counts from the end of the source, which wait_k has not read: use false");
  if (intra_attention && !intra_attention->attention->hides_unread())
    problems.add("intra_attention.attention",
                 "sees later tokens of the source, which wait_k has not read: add the term causal");
}

SourceDims EmbeddingsEncoderConfig::dims(int64_t input) const {
  int64_t width = input;
  if (intra_attention)
    width += intra_attention->attention->context_width(intra_attention->attention_dims(input));
  return {.source = {.key = width, .value = width}, .cell = "", .layers = 1, .final_width = width};
}

namespace kinds {
Kind<EncoderConfig> embeddings_encoder() {
  return kind<EmbeddingsEncoderConfig, EncoderConfig>("embeddings", "embeddings only");
}
}  // namespace kinds

}  // namespace heed
