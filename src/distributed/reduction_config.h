// train.reduction: how several processes sum their gradients.
#pragma once

#include "config/fields.h"

namespace heed {

// Number format in which the summands and the sums are exchanged; they are added in the tensor's
// format.
enum class SumPrecision { kOwn, kBf16 };

struct ReductionConfig final : Settings {
  bool overlap = true;
  SumPrecision precision = SumPrecision::kOwn;
  void fields(Fields& f) override;
};

}  // namespace heed
