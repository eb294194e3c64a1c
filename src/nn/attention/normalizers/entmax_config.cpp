#include "nn/attention/normalizers/entmax_config.h"

namespace heed {

namespace {

constexpr Range kAlphas{1, 2, true, false};  // (1, 2]

}  // namespace

void EntmaxConfig::fields(Fields& f) {
  f.field("alpha", alpha, kAlphas,
          "α; its initial value if it is learned; near 1 as softmax, 2 as sparsemax");
  f.field("learned", learned, "learn α, one for each head, between 1 and 2");
}

void EntmaxConfig::validate(Problems& problems) const {
  if (learned && alpha == 2)
    problems.add("alpha",
                 "a learned α is below 2: set a lower initial value, or learned: false for α = 2");
}

namespace kinds {
Kind<NormalizerConfig> entmax() {
  return kind<EntmaxConfig, NormalizerConfig>(
      "entmax", "α-entmax, α learned for each head (Correia 2019) or fixed");
}
}  // namespace kinds

}  // namespace heed
