// Settings of disagreement regularization (disagreement.h).
#pragma once

#include "config/fields.h"

namespace heed {

struct DisagreementConfig final : Settings {
  enum class On { kSubspace, kPosition, kOutput };
  On on = On::kOutput;
  double weight = 1;
  void fields(Fields& f) override;
  const char* shorthand() const override { return "on"; }
};

}  // namespace heed
