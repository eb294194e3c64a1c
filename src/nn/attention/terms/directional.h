// directional: a query attends to the positions before it (forward) or after it (backward), without
// its own (Shen et al. 2018, DiSAN, equations 16 and 17).
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
