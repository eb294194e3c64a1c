// train.reduction: how several processes sum their gradients.
#pragma once

#include "config/fields.h"
#include "distributed/reducer.h"

namespace heed {

struct ReductionConfig final : Settings {
  bool overlap = true;
  SumPrecision precision = SumPrecision::kOwn;
  void fields(Fields& f) const override;
};

}  // namespace heed
