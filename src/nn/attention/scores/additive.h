// additive: vᵀ tanh(W q + U k + b) (Bahdanau et al. 2015, appendix A.1.2).
// concat:   vᵀ tanh(W [q; k]) (Luong et al. 2015, equation 8), which is the same without b.
#pragma once

#include "nn/attention/stages.h"

namespace heed {

struct AdditiveConfig : ScorerConfig {
  int64_t hidden = 512;
  void fields(Fields& f) override;
  int64_t width_of_heads(const StageDims&) const override { return hidden; }
  std::shared_ptr<Scorer> build(const StageDims& dims) const override;

 protected:
  virtual bool has_bias() const { return true; }
};

struct ConcatConfig final : AdditiveConfig {
 protected:
  bool has_bias() const override { return false; }
};

}  // namespace heed
