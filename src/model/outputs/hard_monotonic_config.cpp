#include "model/outputs/hard_monotonic_config.h"

#include "base/error.h"
#include "config/idle.h"

namespace heed {

void HardMonotonicConfig::fields(Fields& f) {
  f.field("bias", bias, "add a bias for each token of the vocabulary");
  f.field("monotonic", monotonic,
          "a target token is aligned to the source position of the token before it or to a later "
          "one; false: to any (Wu 2018)");
  f.field("order", order, IntRange{0, 1},
          "0: the decoder state scores the source positions; 1: it scores jumps from the position "
          "of the token before (Wu and Cotterell 2019)");
  f.field("window", window, IntRange{1, 1000}, "order 1: the longest jump, in source positions");
  if (order == 0) idle(f, "window", "with `order: 0`");
}

void HardMonotonicConfig::check(const OutputDims& dims, Problems& problems) const {
  if (dims.source.key == 0)
    return problems.add("", "aligns the target with a source, and there is none: use vocabulary");
  if (dims.attention.context > 0)
    problems.add("",
                 "aligns the target with the source itself, but the decoder's states have read "
                 "all of the source: write `attention: none` in the decoder");
  if (has_transitions() && !dims.source.ordered)
    problems.add("",
                 "needs positions in order, which the rows of model.join do not have: leave join "
                 "out, or write `monotonic: false, order: 0`");
}

namespace kinds {
Kind<OutputConfig> hard_monotonic() {
  return kind<HardMonotonicConfig, OutputConfig>(
      "hard_monotonic",
      "hard attention, summed over all alignments: monotonic ones (Wu and Cotterell 2019) or any "
      "(Wu 2018)");
}
}  // namespace kinds

}  // namespace heed
