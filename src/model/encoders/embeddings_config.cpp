#include "model/encoders/embeddings_config.h"

#include "config/idle.h"

namespace heed {

void EmbeddingsEncoderConfig::fields(Fields& f) {
  position_fields(f);
  f.field("from_end", from_end,
          "count the positions from the last one, as distances from a question behind the text "
          "(Sukhbaatar 2015)");
  if (positions->kind == PositionKind::kNone) idle(f, "from_end", "with `positions: none`");
  f.field("dropout", dropout, kDropout, "dropout probability of the embeddings");
  f.may_change(ChangeAt::kPhase, {"dropout"});
}

SourceDims EmbeddingsEncoderConfig::dims(int64_t input) const {
  return {.source = {.key = input, .value = input}, .cell = "", .layers = 1, .final_width = input};
}

namespace kinds {
Kind<EncoderConfig> embeddings_encoder() {
  return kind<EmbeddingsEncoderConfig, EncoderConfig>("embeddings", "embeddings only");
}
}  // namespace kinds

}  // namespace heed
