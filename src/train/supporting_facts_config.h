// Settings of the loss of supporting facts (supporting_facts_loss.h).
#pragma once

#include "config/fields.h"

namespace heed {

struct SupportingFactsConfig final : Settings {
  double weight = 0;  // α
  void fields(Fields& f) override;
};

}  // namespace heed
