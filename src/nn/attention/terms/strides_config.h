// Settings of the terms local, atrous and sparse (strides.cpp).
#pragma once

#include "config/sizes.h"
#include "nn/attention/stage_config.h"

namespace heed {

// A query i reads the keys j with |i - j| <= k (local), with |i - j| = 0, k, 2k, … (atrous), or
// both.
struct StridedTermConfig : TermConfig {
  int64_t k = 8;
  virtual bool is_local() const = 0;
  virtual bool is_atrous() const = 0;
};

template <bool local, bool atrous>
struct StridesConfig final : StridedTermConfig {
  bool is_local() const override { return local; }
  bool is_atrous() const override { return atrous; }
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
