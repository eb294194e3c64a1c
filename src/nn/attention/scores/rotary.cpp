// rotary: q·k / √D of queries and keys that are rotated by their positions (Su et al. 2021,
// equations 14, 15 and 34): the pair of features 2i and 2i+1 by the angle p θ_i, θ_i = b^(-2i/D), or
// that of `scaling` (rotary_config.h).
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/rotation.h"
#include "nn/attention/scores/dot_product.h"
#include "nn/attention/scores/rotary_config.h"

namespace heed {

namespace {

class RotaryScorer final : public DotProductScorer {
 public:
  RotaryScorer(const RotaryConfig& config, const StageDims& dims)
      : DotProductScorer(config, dims),
        theta_(torch::tensor(config.frequencies(config.width_of_heads(dims) / dims.heads),
                             torch::kDouble)),
        magnitude_(config.magnitude()) {}
  Tensor prepare_queries(const Tensor& x, const Tensor& positions) override {
    return turned(DotProductScorer::prepare_queries(x, positions), positions);
  }
  Tensor prepare_keys(const Tensor& x, const Tensor& positions) override {
    return turned(DotProductScorer::prepare_keys(x, positions), positions);
  }

 private:
  // x [R,H,T,D] at positions [R,T].
  Tensor turned(const Tensor& x, const Tensor& positions) const {
    const Tensor y = rotated(x, positions, theta_.to(x.options().requires_grad(false)));
    return magnitude_ == 1 ? y : y * magnitude_;
  }

  Tensor theta_;  // [D/2]
  double magnitude_;
};

}  // namespace

std::shared_ptr<Scorer> builders::rotary(const ScorerConfig& config, const StageDims& dims) {
  return std::make_shared<RotaryScorer>(settings_as<RotaryConfig>(config), dims);
}

}  // namespace heed
