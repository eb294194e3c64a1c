// dot:        q·k (Luong et al. 2015, equation 8)
// scaled_dot: q·k / √D (Vaswani et al. 2017, equation 1)
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/scores/projected.h"
#include "nn/gradient_sum.h"

namespace heed {

namespace {

class DotScorer final : public ProjectedScorer {
 public:
  using ProjectedScorer::ProjectedScorer;
  Tensor score(const At& at) override {
    return step_product_transposed(at.queries, at.keys);  // [R,H,T,S]
  }
};

class ScaledDotScorer final : public ProjectedScorer {
 public:
  using ProjectedScorer::ProjectedScorer;
  Tensor score(const At& at) override { return scaled_product(at.queries, at.keys); }
};

}  // namespace

std::shared_ptr<Scorer> builders::dot(const ScorerConfig& config, const StageDims& dims) {
  return std::make_shared<DotScorer>(settings_as<ProjectedConfig>(config), dims);
}

std::shared_ptr<Scorer> builders::scaled_dot(const ScorerConfig& config, const StageDims& dims) {
  return std::make_shared<ScaledDotScorer>(settings_as<ProjectedConfig>(config), dims);
}

}  // namespace heed
