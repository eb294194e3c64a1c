#include "model/outputs/pointer_config.h"

#include "config/sizes.h"

namespace heed {

void PointerConfig::fields(Fields& f) {
  f.field("hidden", hidden, kWidths, "width of the hidden layer");
  CopyingConfig::fields(f);
}

namespace kinds {
Kind<OutputConfig> pointer() {
  return kind<PointerConfig, OutputConfig>(
      "pointer", "pointer network: softmax over the source positions (Vinyals 2015)");
}
}  // namespace kinds

}  // namespace heed
