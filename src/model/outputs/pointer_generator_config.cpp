#include "model/outputs/pointer_generator_config.h"

#include "base/error.h"
#include "config/sizes.h"

namespace heed {

void PointerGeneratorConfig::fields(Fields& f) {
  f.field("bias", bias, "add a bias for each token of the vocabulary");
  f.field("head", head, kHeads,
          "head whose weights copy, from 1, of the decoder's last attention over the source; ~: "
          "the mean of all heads");
  f.field("copy_end", copy_end,
          "the end of the source can be copied as the end of the target; See 2017: it cannot");
  CopyingConfig::fields(f);
}

void PointerGeneratorConfig::check(const OutputDims& dims, Problems& problems) const {
  CopyingConfig::check(dims, problems);
  check_copy_end(copy_end, dims, problems);
  if (dims.attention.heads == 0) {
    problems.add("",
                 "needs attention weights over one source, which the decoder's attention does not "
                 "have: choose an attention with weights, or one_source for several sources");
  } else if (head && *head > dims.attention.heads) {
    problems.add("head",
                 fmt::format("found {}, but the decoder's attention over the source has {} heads",
                             *head, dims.attention.heads));
  }
}

namespace kinds {
Kind<OutputConfig> pointer_generator() {
  return kind<PointerGeneratorConfig, OutputConfig>(
      "pointer_generator",
      "pointer-generator: mixture of vocabulary and attention weights (See 2017)");
}
}  // namespace kinds

}  // namespace heed
