// Settings of the output label (label.cpp).
#pragma once

#include "model/output_config.h"

namespace heed {

struct LabelConfig final : OutputConfig {
  bool bias = true;
  void fields(Fields& f) override;
  WritableTargets writes() const override { return WritableTargets::kOneToken; }
};

}  // namespace heed
