// dot:        q·k (Luong et al. 2015, equation 8)
// scaled_dot: q·k / √D (Vaswani et al. 2017, equation 1)
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/scores/dot_product.h"

namespace heed {

std::shared_ptr<Scorer> builders::dot(const ScorerConfig& config, const StageDims& dims) {
  return std::make_shared<DotProductScorer>(settings_as<DotProductConfig>(config), dims);
}

std::shared_ptr<Scorer> builders::scaled_dot(const ScorerConfig& config, const StageDims& dims) {
  return std::make_shared<DotProductScorer>(settings_as<DotProductConfig>(config), dims);
}

}  // namespace heed
