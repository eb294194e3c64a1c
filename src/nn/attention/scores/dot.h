// dot:        q·k (Luong et al. 2015, equation 8)
// scaled_dot: q·k / √D (Vaswani et al. 2017, equation 1)
#pragma once

#include "nn/attention/stages.h"

namespace heed {

struct DotConfig : ScorerConfig {
  std::optional<bool> project;  // default: with several heads, or inside a block
  int64_t width = 0;            // of all projected heads together; 0: the width of the query
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
  int64_t width_of_heads(const StageDims& dims) const override;
  std::shared_ptr<Scorer> build(const StageDims& dims) const override;

 protected:
  virtual bool is_scaled() const { return false; }
};

struct ScaledDotConfig final : DotConfig {
 protected:
  bool is_scaled() const override { return true; }
};

}  // namespace heed
