// Settings of the output hard_monotonic (hard_monotonic.cpp).
#pragma once

#include "model/output_config.h"

namespace heed {

struct HardMonotonicConfig final : OutputConfig {
  bool bias = true;
  bool monotonic = true;
  int64_t order = 1;
  int64_t window = 5;  // w
  void fields(Fields& f) override;
  bool aligns() const override { return true; }
  bool reads_source() const override { return true; }
  void check(const OutputDims& dims, Problems& problems) const override;
  // True if p(a_t) depends on a_{t-1}.
  bool has_transitions() const { return monotonic || order > 0; }
  // Number of jumps a_t - a_{t-1} of order 1, and the first of them.
  int64_t jumps() const { return monotonic ? window + 1 : 2 * window + 1; }
  int64_t first_jump() const { return monotonic ? 0 : -window; }
};

}  // namespace heed
