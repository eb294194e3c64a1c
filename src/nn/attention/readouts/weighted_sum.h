// The context as the weighted sum of values, c = Σ_s a_s v_s; heads side by side, projected
// (Vaswani et al. 2017, section 3.2.2).
#pragma once

#include "nn/attention/stages.h"

namespace heed {

struct WeightedSumConfig final : ReadOutConfig {
  std::optional<bool>
      project;  // values and the joined heads; default: with several heads, or inside a block
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
  int64_t context_width(const StageDims& dims) const override;
  std::shared_ptr<ReadOut> build(const StageDims& dims) const override;
};

}  // namespace heed
