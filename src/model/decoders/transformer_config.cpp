#include "model/decoders/transformer_config.h"

#include <algorithm>

namespace heed {

void TransformerDecoderConfig::fields(Fields& f) {
  common_fields(f);
  f.one_of("attention", attention, attentions(), "attention over the source");
  f.map("attention_by_layer", attention_by_layer,
        "attention over the source of some layers, by number or range: {1-2: {…}, 6: {…}}");
  f.section("alignment", alignment,
            "the attention over the source that alignments, guided alignment, copying and coverage "
            "use");
  f.peers("layers", {.joeynmt = "num_layers",
                     .opennmt = "dec_layers",
                     .marian = "dec-depth",
                     .also = "n_layers"});
  f.peers("attention.heads", kHeadPeers);
  f.peers("attention.dropout", kWeightDropoutPeers);
  f.peers("self_attention: average", {.opennmt = "self_attn_type: average",
                                      .marian = "transformer-decoder-autoreg: average-attention"});
}

AttentionDims TransformerDecoderConfig::cross_dims(const DecoderDims& dims) const {
  return heed::cross_dims(dims, width, width);
}

void TransformerDecoderConfig::check(const DecoderDims& dims, Problems& problems) const {
  check_self_attention(self_dims(Place::kDecoderSelf), problems);
  ProblemsAt at_cross(problems, "attention"), at_layers(problems, "attention_by_layer");
  check_cross(*attention, cross_dims(dims), at_cross);
  check_each(attention_by_layer, layers, at_layers, [&](const AttentionConfig& own, Problems& at) {
    check_cross(own, cross_dims(dims), at);
  });
  ProblemsAt at_alignment(problems, "alignment");
  alignment.check(layers, at_alignment);
  const AttentionConfig& aligned = attention_of(aligned_layer(dims));
  alignment.check_heads(source_attention_of(aligned, cross_dims(dims)).heads, at_alignment);
}

void TransformerDecoderConfig::check_unread(Problems& problems) const {
  ProblemsAt at_cross(problems, "attention"), at_layers(problems, "attention_by_layer");
  heed::check_unread(*attention, at_cross);
  for (const auto& [layers_of, own] : attention_by_layer) {
    ProblemsAt at_layer(at_layers, layers_of);
    heed::check_unread(*own.attention, at_layer);
  }
}

int64_t TransformerDecoderConfig::aligned_layer(const DecoderDims& dims) const {
  if (alignment.layer) return std::min(*alignment.layer, layers) - 1;
  for (int64_t layer = layers - 1; layer >= 0; --layer) {
    if (source_attention_of(attention_of(layer), cross_dims(dims)).heads > 0) return layer;
  }
  return layers - 1;
}

int64_t TransformerDecoderConfig::reading_layers() const {
  int64_t count = 0;
  for (int64_t layer = 0; layer < layers; ++layer) count += attention_of(layer).reads() ? 1 : 0;
  return count;
}

SourceAttention TransformerDecoderConfig::source_attention(const DecoderDims& dims) const {
  SourceAttention found = source_attention_of(attention_of(aligned_layer(dims)), cross_dims(dims));
  if (!alignment.heads.empty()) found.heads = std::ssize(alignment.heads);
  // Another layer may read the source without weights.
  for (int64_t layer = 0; layer < layers && found.context == 0; ++layer)
    found.context = source_attention_of(attention_of(layer), cross_dims(dims)).context;
  return found;
}

namespace kinds {
Kind<DecoderConfig> transformer_decoder() {
  return kind<TransformerDecoderConfig, DecoderConfig>("transformer", "Transformer (Vaswani 2017)");
}
}  // namespace kinds

}  // namespace heed
