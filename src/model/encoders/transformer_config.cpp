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

SourceDims TransformerEncoderConfig::dims(int64_t) const {
  return {.source = {.key = width, .value = width}, .cell = "", .layers = 1, .final_width = width};
}

namespace kinds {
Kind<EncoderConfig> transformer_encoder() {
  return kind<TransformerEncoderConfig, EncoderConfig>("transformer", "Transformer (Vaswani 2017)");
}
}  // namespace kinds

}  // namespace heed
