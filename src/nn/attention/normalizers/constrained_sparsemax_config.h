// Settings of the normalizer constrained_sparsemax (constrained_sparsemax.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct ConstrainedSparsemaxConfig final : NormalizerConfig {
  double fertility = 2;
  double credit = 0.2;  // c
  bool sink = true;
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
  bool needs_history() const override { return true; }
};

}  // namespace heed
