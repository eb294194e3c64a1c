#include "model/encoder_config.h"

#include "base/error.h"

namespace heed {

void EncoderConfig::check_causal(Problems& problems) const {
  problems.add("", fmt::format("{} sees later tokens of the source, which wait_k has not read: use "
                               "{{type: rnn, bidirectional: false}}, or {{type: transformer, "
                               "self_attention: {{terms: [causal]}}}}",
                               type));
}

SourceDims NoEncoderConfig::dims(int64_t) const { return {}; }

void SharedEncoderConfig::fields(Fields& f) {
  f.field("with", with, "source whose encoder is shared");
  f.required("with");
}

SourceDims SharedEncoderConfig::dims(int64_t) const { return {}; }

namespace kinds {
Kind<EncoderConfig> no_encoder() {
  return kind<NoEncoderConfig, EncoderConfig>("none", "no encoder: a language model");
}
Kind<EncoderConfig> shared_encoder() {
  return kind<SharedEncoderConfig, EncoderConfig>("shared",
                                                  "shared: the encoder of another source");
}
}  // namespace kinds

}  // namespace heed
