// Settings of the term directional (directional.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct DirectionalConfig final : TermConfig {
  enum class Direction { kForward, kBackward };
  Direction direction = Direction::kForward;
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
  bool hides_unread() const override { return direction == Direction::kForward; }
};

}  // namespace heed
