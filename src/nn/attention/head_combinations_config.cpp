#include "nn/attention/head_combinations_config.h"

#include "config/sizes.h"

namespace heed {

namespace {

struct ConcatConfig final : HeadCombinationConfig {
  void fields(Fields&) override {}
};

struct DynamicKind final : RoutingMethodConfig {
  void fields(Fields&) override {}
};

}  // namespace

void EmKind::fields(Fields& f) {
  f.field("lambda", lambda, kAboveZero, "inverse temperature λ of the activation");
}

const Registry<RoutingMethodConfig>& routing_kinds() {
  static const Registry<RoutingMethodConfig> list = {
      kind<DynamicKind, RoutingMethodConfig>("dynamic", "dynamic routing (Sabour 2017)"),
      kind<EmKind, RoutingMethodConfig>("em", "EM routing (Hinton 2018)"),
  };
  return list;
}

void RoutingConfig::fields(Fields& f) {
  f.one_of("kind", routing, routing_kinds(), "routing algorithm");
  f.field("iterations", iterations, kRounds, "number of routing iterations");
}

void RoutingConfig::check(const StageDims& dims, Problems& problems) const {
  if (dims.heads < least_heads()) problems.add("", "needs 2 heads or more");
}

namespace kinds {
Kind<HeadCombinationConfig> concat_heads() {
  return kind<ConcatConfig, HeadCombinationConfig>("concat",
                                                   "concatenation and projection (Vaswani 2017)");
}
Kind<HeadCombinationConfig> routing() {
  return kind<RoutingConfig, HeadCombinationConfig>(
      "routing", "routing by agreement: dynamic or EM (Li 2019)");
}
}  // namespace kinds

}  // namespace heed
