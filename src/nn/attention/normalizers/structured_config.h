// Settings of the normalizer structured (structured.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct StructuredConfig final : NormalizerConfig {
  enum class Kind { kChain, kTree };
  Kind kind = Kind::kChain;
  std::optional<double> scale = 2;  // λ
  double penalty = 0.005;           // λ₂
  bool needs_all_queries() const override { return kind == Kind::kTree; }
  void check(const StageDims& dims, Problems& problems) const override;
  void fields(Fields& f) override;
};

}  // namespace heed
