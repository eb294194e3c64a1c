// Settings of the term directional (directional.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct DirectionalConfig final : TermConfig {
  enum class Direction { kForward, kBackward };
  Direction direction = Direction::kForward;
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
};

}  // namespace heed
