// Settings of the term window (window.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct WindowConfig final : TermConfig {
  enum class Centre { kMonotonic, kPredictive };
  Centre centre = Centre::kPredictive;
  int64_t radius = 10;
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
  bool sees_unread() const override { return centre == Centre::kPredictive; }
};

}  // namespace heed
