// Settings of the combinations of heads (head_combinations.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

// `kind:` of routing.
struct RoutingMethodConfig : KindSettings {};
struct EmKind final : RoutingMethodConfig {
  double lambda = 0.01;
  void fields(Fields& f) override;
};
const Registry<RoutingMethodConfig>& routing_kinds();

struct RoutingConfig final : HeadCombinationConfig {
  std::shared_ptr<RoutingMethodConfig> routing = fresh_kind(routing_kinds(), "em");
  int64_t iterations = 3;
  void fields(Fields& f) override;
  int64_t least_heads() const override { return 2; }
  void check(const StageDims& dims, Problems& problems) const override;
};

}  // namespace heed
