#include "nn/attention/terms/strides_config.h"

namespace heed {

namespace kinds {
Kind<TermConfig> local() {
  return kind<StridesConfig<true, false>, TermConfig>(
      "local", "local attention: |i - j| <= k (over the source, as in Luong 2015: window)");
}
Kind<TermConfig> atrous() {
  return kind<StridesConfig<false, true>, TermConfig>("atrous",
                                                      "dilated attention: |i - j| = 0, k, 2k, …");
}
Kind<TermConfig> sparse() {
  return kind<StridesConfig<true, true>, TermConfig>(
      "sparse", "sparse attention: the union of local and atrous (Child 2019)");
}
}  // namespace kinds

}  // namespace heed
