// Settings of the coverage loss (coverage_loss.h).
#pragma once

#include "config/fields.h"

namespace heed {

struct CoverageConfig final : Settings {
  double weight = 0;  // λ
  void fields(Fields& f) override;
};

}  // namespace heed
