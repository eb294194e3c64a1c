// rotary: q·k / √D of queries and keys that are rotated by their positions (Su et al. 2021,
// equations 14, 15 and 34): the pair of features 2i and 2i+1 by the angle p θ_i, θ_i = b^(-2i/D).
// For sentences s times as long as those of an earlier training:
//   linear   θ_i / s: position interpolation (Chen et al. 2023, equation 4)
//   ntk      b s^(D/(D-2)) in place of b (Peng et al. 2023, YaRN, section 3.1)
//   yarn     (1 - γ_i) θ_i / s + γ_i θ_i, where γ is 1 for features with many periods in L positions
//            and 0 for those with few; queries and keys are multiplied by 0.1 ln s + 1 (Peng et al.
//            2023, sections 3.2 and 3.4). γ falls from 1 to 0 between the i that have 32 periods and
//            1, as in the authors' code.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/rotation.h"
#include "nn/attention/scores/dot_product.h"
#include "nn/attention/scores/rotary_config.h"

namespace heed {

namespace {

using Scaling = RotaryConfig::Scaling;

class RotaryScorer final : public DotProductScorer {
 public:
  RotaryScorer(const RotaryConfig& config, const StageDims& dims)
      : DotProductScorer(config, dims), config_(config) {}
  Tensor prepare_queries(const Tensor& x, const Tensor& positions) override {
    return turned(DotProductScorer::prepare_queries(x, positions), positions);
  }
  Tensor prepare_keys(const Tensor& x, const Tensor& positions) override {
    return turned(DotProductScorer::prepare_keys(x, positions), positions);
  }

 private:
  bool is(Scaling scaling) const { return config_.factor != 1 && config_.scaling == scaling; }

  // x [R,H,T,D] at positions [R,T].
  Tensor turned(const Tensor& x, const Tensor& positions) const {
    const Tensor y =
        rotated(x, positions, frequencies(x.size(3), x.options().requires_grad(false)));
    return is(Scaling::kYarn) ? y * (0.1 * std::log(config_.factor) + 1) : y;
  }

  // θ [D/2]
  Tensor frequencies(int64_t width, const torch::TensorOptions& options) const {
    const auto d = static_cast<double>(width);
    double base = config_.base;
    if (is(Scaling::kNtk) && width > 2) base *= std::pow(config_.factor, d / (d - 2));
    const Tensor theta = torch::pow(base, torch::arange(0, width, 2, options) / -d);
    if (is(Scaling::kLinear)) return theta / config_.factor;
    if (!is(Scaling::kYarn)) return theta;
    // The i whose feature has this number of periods.
    const auto feature_of = [&](double periods) {
      const double period = static_cast<double>(config_.trained_length) / periods;
      return d * std::log(period / (2 * std::numbers::pi)) / (2 * std::log(config_.base));
    };
    const double low = std::max(std::floor(feature_of(32)), 0.0),
                 high = std::max(std::min(std::ceil(feature_of(1)), d - 1), low + 1e-3);
    const Tensor slow =
        ((torch::arange(0, width / 2, options) - low) / (high - low)).clamp(0, 1);  // 1 - γ
    return theta * (slow / config_.factor + (1 - slow));
  }

  RotaryConfig config_;
};

}  // namespace

std::shared_ptr<Scorer> builders::rotary(const ScorerConfig& config, const StageDims& dims) {
  return std::make_shared<RotaryScorer>(settings_as<RotaryConfig>(config), dims);
}

}  // namespace heed
