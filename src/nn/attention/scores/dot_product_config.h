// Settings that the scores dot, scaled_dot and rotary have in common (dot_product.h).
#pragma once

#include <memory>

#include "nn/attention/scores/projected_config.h"

namespace heed {

// `query_key_norm:`
struct QueryKeyNormConfig : KindSettings {};
struct L2NormConfig final : QueryKeyNormConfig {
  double gain = 10;
  void fields(Fields& f) override;
};
const Registry<QueryKeyNormConfig>& query_key_norms();

struct DotProductConfig : ProjectedConfig {
  std::shared_ptr<QueryKeyNormConfig> query_key_norm = fresh_kind(query_key_norms(), "none");
  void fields(Fields& f) override;
  // False for `dot`.
  virtual bool is_scaled() const { return true; }
  // The number by which q·k is divided: √D, or 1.
  double divisor(const StageDims& dims) const;
};

}  // namespace heed
