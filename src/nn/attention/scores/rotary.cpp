// rotary: q·k / √D of queries and keys that are rotated by their positions (Su et al. 2021,
// equations 14, 15 and 34): the pair of features 2i and 2i+1 by the angle p · 10000^(-2i/D).
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/scores/projected.h"

namespace heed {

namespace {

// x [R,H,T,D] at positions [R,T].
Tensor turned(const Tensor& x, const Tensor& positions) {
  const int64_t width = x.size(3);
  const Tensor exponents = torch::arange(0, width, 2, x.options().requires_grad(false)) /
                           -static_cast<double>(width);  // [D/2]
  const Tensor angles = positions.to(x.scalar_type()).unsqueeze(1).unsqueeze(3) *
                        torch::pow(10000.0, exponents);         // [R,1,T,D/2]
  const auto pairs = x.unflatten(3, {width / 2, 2}).unbind(4);  // 2 × [R,H,T,D/2]
  const Tensor cos = angles.cos(), sin = angles.sin();
  return torch::stack({pairs[0] * cos - pairs[1] * sin, pairs[0] * sin + pairs[1] * cos}, 4)
      .flatten(3);
}

class RotaryScorer final : public ProjectedScorer {
 public:
  using ProjectedScorer::ProjectedScorer;
  Tensor prepare_queries(const Tensor& x, const Tensor& positions) override {
    return turned(ProjectedScorer::prepare_queries(x, positions), positions);
  }
  Tensor prepare_keys(const Tensor& x, const Tensor& positions) override {
    return turned(ProjectedScorer::prepare_keys(x, positions), positions);
  }
  Tensor score(const At& at) override { return scaled_product(at.queries, at.keys); }
};

}  // namespace

std::shared_ptr<Scorer> builders::rotary(const ScorerConfig& config, const StageDims& dims) {
  return std::make_shared<RotaryScorer>(settings_as<ProjectedConfig>(config), dims);
}

}  // namespace heed
