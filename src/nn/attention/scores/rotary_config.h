// Settings of the score rotary (rotary.cpp).
#pragma once

#include "nn/attention/scores/dot_product_config.h"

namespace heed {

struct RotaryConfig final : DotProductConfig {
  enum class Scaling { kLinear, kNtk, kYarn };
  double base = 10000;
  double factor = 1;  // s
  Scaling scaling = Scaling::kLinear;
  int64_t trained_length = 512;  // L; kYarn
  void fields(Fields& f) override;
  bool encodes_positions() const override { return true; }
  void check(const StageDims& dims, Problems& problems) const override;
};

}  // namespace heed
