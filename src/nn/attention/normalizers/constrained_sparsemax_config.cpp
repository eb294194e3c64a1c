#include "nn/attention/normalizers/constrained_sparsemax_config.h"

namespace heed {

void ConstrainedSparsemaxConfig::fields(Fields& f) {
  f.field("fertility", fertility, kAboveZero,
          "f, the sum of the weights that a source token may get over all target tokens");
  f.field("credit", credit, kZeroOrMore,
          "c, adds c u to the scores, u the fertility that is left; 0.2 in the paper");
  f.field("sink", sink,
          "the last source token that may be read, </s> unless model.source_end is false or a term "
          "hides it, has no bound; false: weights sum to less than 1 when less fertility is left");
}

void ConstrainedSparsemaxConfig::check(const StageDims& dims, Problems& problems) const {
  if (dims.place != Place::kCross)
    problems.add("", fmt::format("{} bounds the weights that a source token gets over all target "
                                 "tokens: use it over the source, in decoder.attention; sparsemax "
                                 "has no bounds",
                                 type));
  if (sink && !dims.source.ordered)
    problems.add("sink", "the rows of model.join have no last one: set sink: false");
}

namespace kinds {
Kind<NormalizerConfig> constrained_sparsemax() {
  return kind<ConstrainedSparsemaxConfig, NormalizerConfig>(
      "constrained_sparsemax",
      "sparsemax in which a source token's fertility bounds the sum of its weights (Malaviya "
      "2018)");
}
}  // namespace kinds

}  // namespace heed
