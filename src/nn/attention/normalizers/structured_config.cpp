#include "nn/attention/normalizers/structured_config.h"

namespace heed {

void StructuredConfig::check(const StageDims& dims, Problems& problems) const {
  check_order(*this, dims, problems);
}

void StructuredConfig::fields(Fields& f) {
  f.field("scale", scale, kAboveZero,
          "λ of the weights λ p / Σ p of marginals p; ~: the marginals themselves, whose sum "
          "grows with the sentence");
  f.field("penalty", penalty, kZeroOrMore, "weight of |b|² of the transitions b in the loss");
}

namespace kinds {
Kind<NormalizerConfig> structured() {
  return kind<StructuredConfig, NormalizerConfig>(
      "structured",
      "structured attention: marginals p(z_s = 1) of a linear-chain CRF over the keys, λ p / Σ p "
      "(Kim 2017)");
}
}  // namespace kinds

}  // namespace heed
