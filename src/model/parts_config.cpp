// The tables of encoders, joiners, decoders and outputs, made from the list in parts.def.
#include "model/model_config.h"

namespace heed {

namespace {

struct Tables {
  Registry<EncoderConfig> encoders;
  Registry<JoinerConfig> joiners;
  Registry<DecoderConfig> decoders;
  Registry<OutputConfig> outputs;

  void add(Kind<EncoderConfig> kind) { encoders.push_back(std::move(kind)); }
  void add(Kind<JoinerConfig> kind) { joiners.push_back(std::move(kind)); }
  void add(Kind<DecoderConfig> kind) { decoders.push_back(std::move(kind)); }
  void add(Kind<OutputConfig> kind) { outputs.push_back(std::move(kind)); }

  Tables() {
#define KIND(Config, part) add(kinds::part());
#include "model/parts.def"
#undef KIND
  }
};

const Tables& tables() {
  static const Tables tables;
  return tables;
}

}  // namespace

const Registry<EncoderConfig>& encoders() { return tables().encoders; }
const Registry<JoinerConfig>& joiners() { return tables().joiners; }
const Registry<DecoderConfig>& decoders() { return tables().decoders; }
const Registry<OutputConfig>& outputs() { return tables().outputs; }

}  // namespace heed
