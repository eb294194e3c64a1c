#include "model/outputs/label_config.h"

namespace heed {

void LabelConfig::fields(Fields& f) { f.field("bias", bias, "add a bias for each label"); }

namespace kinds {
Kind<OutputConfig> label_output() {
  return kind<LabelConfig, OutputConfig>(
      "label", "label: softmax over the vocabulary for one token, the whole target (Yang 2016)");
}
}  // namespace kinds

}  // namespace heed
