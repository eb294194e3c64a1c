// Settings of the read-out gated (gated_sum.cpp).
#pragma once

#include "nn/attention/readouts/weighted_sum_config.h"

namespace heed {

struct GatedSumConfig final : WeightedSumConfig {
  enum class Gate { kFeature, kHead };
  Gate gate = Gate::kFeature;
  void fields(Fields& f) override;
};

}  // namespace heed
