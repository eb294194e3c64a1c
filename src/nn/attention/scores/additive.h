// S5 additive: vᵀ tanh(W q + U k + b) (Bahdanau et al. 2015, appendix A.1.2).
// S4 concat:   vᵀ tanh(W [q; k]) (Luong et al. 2015, equation 8), which is the same without b.
#pragma once

#include "nn/attention/stages.h"

namespace heed {

struct AdditiveConfig : ScorerConfig {
  int64_t hidden = 512;
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
  std::shared_ptr<Scorer> build(const StageDims& dims) const override;

 protected:
  virtual bool has_bias() const { return true; }
};

struct ConcatConfig final : AdditiveConfig {
 protected:
  bool has_bias() const override { return false; }
};

}  // namespace heed
