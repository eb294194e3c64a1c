// Settings of the read-out differential (differential.cpp).
#pragma once

#include "nn/attention/readouts/weighted_sum_config.h"

namespace heed {

struct DifferentialConfig final : WeightedSumConfig {
  std::optional<double> lambda_init;  // default: by the layer
  void fields(Fields& f) override;
  bool is_weighted_sum() const override { return false; }
  bool needs_all_keys() const override { return true; }
  // The maps of a pair read values of both of its heads.
  bool shares_heads(const StageDims&) const override { return false; }
  void check(const StageDims& dims, Problems& problems) const override;
  double first_lambda(const StageDims& dims) const;
};

}  // namespace heed
