// directional: a query reads one direction only, without its own position (Shen et al. 2018, DiSAN,
// equation 16 and 17): forward what stands before it, backward what stands behind it.
#pragma once

#include "nn/attention/stages.h"

namespace heed {

struct DirectionalConfig final : TermConfig {
  enum class Direction { kForward, kBackward };
  Direction direction = Direction::kForward;
  void fields(Fields& f) const override;
  void check(const StageDims& dims, Problems& problems) const override;
  std::shared_ptr<Term> build(const StageDims& dims) const override;
};

}  // namespace heed
