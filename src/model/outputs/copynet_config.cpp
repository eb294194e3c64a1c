#include "model/outputs/copynet_config.h"

#include "model/outputs/copying_config.h"

namespace heed {

void CopyNetConfig::fields(Fields& f) {
  f.field("bias", bias, "add a bias for each token of the vocabulary");
}

void CopyNetConfig::check(const OutputDims& dims, Problems& problems) const {
  check_copying(dims, problems);
}

namespace kinds {
Kind<OutputConfig> copynet() {
  return kind<CopyNetConfig, OutputConfig>(
      "copynet", "CopyNet: one softmax over vocabulary and source positions (Gu 2016)");
}
}  // namespace kinds

}  // namespace heed
