// general: qᵀ W k (Luong et al. 2015, equation 8).
#pragma once

#include "nn/attention/stages.h"

namespace heed {

struct GeneralConfig final : ScorerConfig {
  void fields(Fields& f) override {}
  std::shared_ptr<Scorer> build(const StageDims& dims) const override;
};

}  // namespace heed
