// Settings of the output pointer (pointer.cpp).
#pragma once

#include "model/outputs/copying_config.h"

namespace heed {

struct PointerConfig final : CopyingConfig {
  int64_t hidden = 512;
  void fields(Fields& f) override;
  bool reads_source() const override { return true; }
  WritableTargets writes() const override { return WritableTargets::kCopies; }
};

}  // namespace heed
