// Settings of the terms local, atrous and sparse (strides.cpp).
#pragma once

#include "config/sizes.h"
#include "nn/attention/stage_config.h"

namespace heed {

template <bool local, bool atrous>
struct StridesConfig final : TermConfig {
  int64_t k = 8;
  void fields(Fields& f) override {
    f.field("k", k, kLengths,
            local && atrous ? "half width of the window, and dilation beyond it"
            : local         ? "half width k of the window, in positions"
                            : "dilation k");
  }
  void check(const StageDims& dims, Problems& problems) const override {
    check_one_sequence(*this, dims, problems, local && !atrous ? "window" : nullptr);
  }
};

}  // namespace heed
