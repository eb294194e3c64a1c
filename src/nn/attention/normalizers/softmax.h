// softmax: over the keys.
#pragma once

#include "nn/attention/stages.h"

namespace heed {

struct SoftmaxConfig final : NormalizerConfig {
  void fields(Fields& f) override {}
  std::shared_ptr<Normalizer> build(const StageDims& dims) const override;
};

}  // namespace heed
