#include "model/encoder_config.h"

namespace heed {

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
