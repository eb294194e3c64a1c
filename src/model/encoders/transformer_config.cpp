#include "model/encoders/transformer_config.h"

namespace heed {

void TransformerEncoderConfig::fields(Fields& f) {
  common_fields(f);
  f.peers("layers", {.joeynmt = "num_layers",
                     .opennmt = "enc_layers",
                     .marian = "enc-depth",
                     .also = "n_layers"});
}

void TransformerEncoderConfig::check(int64_t, Problems& problems) const {
  check_self_attention(self_dims(Place::kEncoderSelf), problems);
}

void TransformerEncoderConfig::check_causal(Problems& problems) const {
  const auto check_attention = [](const AttentionConfig& attention, Problems& at) {
    if (!attention.hides_unread())
      at.add("",
             "sees later tokens of the source, which wait_k has not read: add the term causal, "
             "without gaussian");
  };
  ProblemsAt at_all(problems, "self_attention"), at_layers(problems, "self_attention_by_layer");
  check_attention(*self_attention, at_all);
  for (const auto& [layers_of, own] : self_attention_by_layer) {
    ProblemsAt at_layer(at_layers, layers_of);
    check_attention(*own.attention, at_layer);
  }
}

SourceDims TransformerEncoderConfig::dims(int64_t) const {
  return {.source = {.key = width, .value = width}, .cell = "", .layers = 1, .final_width = width};
}

namespace kinds {
Kind<EncoderConfig> transformer_encoder() {
  return kind<TransformerEncoderConfig, EncoderConfig>("transformer", "Transformer (Vaswani 2017)");
}
}  // namespace kinds

}  // namespace heed
