#include "model/outputs/copynet_config.h"

namespace heed {

void CopyNetConfig::fields(Fields& f) {
  f.field("bias", bias, "add a bias for each token of the vocabulary");
  f.field("copy_end", copy_end,
          "the end of the source can be copied as the end of the target; Gu 2016: it cannot");
  CopyingConfig::fields(f);
}

void CopyNetConfig::check(const OutputDims& dims, Problems& problems) const {
  CopyingConfig::check(dims, problems);
  check_copy_end(copy_end, dims, problems);
}

namespace kinds {
Kind<OutputConfig> copynet() {
  return kind<CopyNetConfig, OutputConfig>(
      "copynet", "CopyNet: one softmax over vocabulary and source positions (Gu 2016)");
}
}  // namespace kinds

}  // namespace heed
