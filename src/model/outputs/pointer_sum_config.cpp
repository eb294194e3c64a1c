// Settings of the output pointer_sum (pointer_sum.cpp).
#include "model/output_config.h"
#include "model/outputs/copying_config.h"

namespace heed {

namespace {

struct PointerSumConfig final : OutputConfig {
  void fields(Fields&) override {}
  bool copies() const override { return true; }
  WritableTargets writes() const override { return WritableTargets::kOneCopy; }
  bool reads_weights() const override { return true; }
  void check(const OutputDims& dims, Problems& problems) const override;
};

void PointerSumConfig::check(const OutputDims& dims, Problems& problems) const {
  check_copying(dims, problems);
  if (dims.attention.heads == 0) {
    problems.add("",
                 "needs attention weights over one source, which the decoder's attention does not "
                 "have: choose an attention with weights, or for several sources one_source or "
                 "attention_over_attention");
  }
}

}  // namespace

namespace kinds {
Kind<OutputConfig> pointer_sum() {
  return kind<PointerSumConfig, OutputConfig>(
      "pointer_sum",
      "pointer sum: one word, by the sum of the weights of its positions (Kadlec 2016, Cui 2017)");
}
}  // namespace kinds

}  // namespace heed
