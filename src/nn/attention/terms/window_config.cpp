#include "nn/attention/terms/window_config.h"

#include "config/sizes.h"

namespace heed {

void WindowConfig::fields(Fields& f) {
  static const Words<Centre> words = {{"monotonic", Centre::kMonotonic},
                                      {"predictive", Centre::kPredictive}};
  f.choice(
      "kind", centre, words,
      "center of the window: monotonic, the target position (local-m), or predictive (local-p)");
  f.field("radius", radius, kLengths, "half width D of the window, in positions");
}

void WindowConfig::check(const StageDims& dims, Problems& problems) const {
  check_order(*this, dims, problems);
  if (dims.place == Place::kCross) return;
  problems.add("", "window moves over another sequence; in self_attention use local");
}

namespace kinds {
Kind<TermConfig> window() {
  return kind<WindowConfig, TermConfig>(
      "window", "local attention within ±D of a center: local-m, local-p (Luong 2015)");
}
}  // namespace kinds

}  // namespace heed
