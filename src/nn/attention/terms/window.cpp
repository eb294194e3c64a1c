// window: local attention (Luong et al. 2015, section 3.2), restricted to D positions around a
// centre p:
//   monotonic    p = t, counted in target tokens, at most S-1
//   predictive   p = S sigmoid(vᵀ tanh(W q)), and the weights times exp(-(s-p)² / 2σ²) with σ = D/2
//                afterwards, not renormalized (equations 9 and 10)
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/terms/window_config.h"
#include "nn/linear.h"

namespace heed {

namespace {

// |s - centre| <= radius of centre [R,1|H,T].  [R,1|H,T,S]
Tensor within(const At& at, const Tensor& centre, int64_t radius) {
  return (key_positions_as(at, centre.scalar_type()) - centre.unsqueeze(3)).abs() <= radius;
}

class MonotonicWindow final : public Term {
 public:
  explicit MonotonicWindow(int64_t radius) : radius_(radius) {}
  Tensor restrict(const Tensor& mask, const At& at) override {
    const Tensor centre = torch::minimum(at.positions, at.reach - 1);  // [R,T]
    return mask & within(at, centre.unsqueeze(1), radius_);
  }

 private:
  int64_t radius_;
};

// Each head has its own v.
class PredictiveWindow final : public Term {
 public:
  PredictiveWindow(const StageDims& dims, int64_t radius)
      : radius_(radius),
        hidden_(*this, "hidden", dims.query, dims.query, kNoBias),
        v_(*this, "v", dims.query, dims.heads, kNoBias) {}
  Tensor restrict(const Tensor& mask, const At& at) override {
    const torch::NoGradGuard no_grad;
    return mask & within(at, centre(at), radius_);
  }
  Tensor reweigh(const Tensor& weights, const At& at) override {
    const double sigma = static_cast<double>(radius_) / 2;
    const Tensor away =
        key_positions_as(at, weights.scalar_type()) - centre(at).unsqueeze(3);  // [R,H,T,S]
    return weights * torch::exp(away.square() / (-2 * sigma * sigma));
  }

 private:
  Tensor centre(const At& at) {
    const Tensor part = torch::sigmoid(v_(torch::tanh(hidden_(at.query)))).transpose(1, 2);
    return at.reach.unsqueeze(1) * part;  // [R,H,T]
  }

  int64_t radius_;
  Linear hidden_, v_;
};

}  // namespace

std::shared_ptr<Term> builders::window(const TermConfig& config, const StageDims& dims) {
  const auto& settings = settings_as<WindowConfig>(config);
  if (settings.centre == WindowConfig::Centre::kMonotonic)
    return std::make_shared<MonotonicWindow>(settings.radius);
  return std::make_shared<PredictiveWindow>(dims, settings.radius);
}

}  // namespace heed
