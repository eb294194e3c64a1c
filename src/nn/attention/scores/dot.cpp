// dot:        q·k (Luong et al. 2015, equation 8)
// scaled_dot: q·k / √D (Vaswani et al. 2017, equation 1)
#include <cmath>

#include "nn/torch.h"

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

struct DotConfig final : ProjectedConfig {
  std::optional<double> dot_product_scale(const StageDims&) const override { return 1; }
  std::shared_ptr<Scorer> build(const StageDims& dims) const override {
    return std::make_shared<DotScorer>(*this, dims);
  }
};

struct ScaledDotConfig final : ProjectedConfig {
  std::optional<double> dot_product_scale(const StageDims& dims) const override {
    return 1 / std::sqrt(static_cast<double>(width_of_heads(dims) / dims.heads));
  }
  std::shared_ptr<Scorer> build(const StageDims& dims) const override {
    return std::make_shared<ScaledDotScorer>(*this, dims);
  }
};

}  // namespace

namespace kinds {
Kind<ScorerConfig> dot() { return kind<DotConfig, ScorerConfig>("dot", "q·k (Luong 2015)"); }
Kind<ScorerConfig> scaled_dot() {
  return kind<ScaledDotConfig, ScorerConfig>("scaled_dot", "q·k / √D (Vaswani 2017)");
}
}  // namespace kinds

}  // namespace heed
