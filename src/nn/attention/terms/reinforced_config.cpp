#include "nn/attention/terms/reinforced_config.h"

#include "config/sizes.h"

namespace heed {

void ReinforcedConfig::fields(Fields& f) {
  f.field("warmup", warmup, kNotNegative, "updates in which every token is selected");
  f.field("penalty", penalty, kWeights,
          "penalty on the number of selected tokens, in nats per sentence");
}

void ReinforcedConfig::check(const StageDims& dims, Problems& problems) const {
  if (dims.place == Place::kEncoderSelf) return;
  problems.add("",
               "reinforced selects among all tokens of a sentence: use it in the self_attention "
               "of an encoder");
}

namespace kinds {
Kind<TermConfig> reinforced() {
  return kind<ReinforcedConfig, TermConfig>("reinforced",
                                            "reinforced self-attention: samplers select the tokens "
                                            "that attend and those attended to (Shen 2018, ReSA)");
}
}  // namespace kinds

}  // namespace heed
