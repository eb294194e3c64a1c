// Settings of the output pointer (pointer.cpp).
#pragma once

#include "model/output_config.h"

namespace heed {

struct PointerConfig final : OutputConfig {
  int64_t hidden = 512;
  void fields(Fields& f) override;
  bool copies() const override { return true; }
  WritableTargets writes() const override { return WritableTargets::kCopies; }
  void check(const OutputDims& dims, Problems& problems) const override;
};

}  // namespace heed
