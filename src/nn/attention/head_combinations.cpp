// Combinations of the context vectors of the heads:
//   concat    concatenated and projected (Vaswani et al. 2017, section 3.2.2)
//   routing   routing by agreement (Li et al. 2019, "Information Aggregation for Multi-Head
//             Attention", section 3.2): each head votes for each of as many output capsules,
//             V_{h→n} = W_{h,n} o_h, and a capsule is the mean of the votes that agree; dynamic
//             (algorithm 1) or EM (algorithm 2)
#include <cmath>
#include <numbers>

#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/head_combinations_config.h"

namespace heed {

namespace {

// votes [R,T,H,N,V], assignments [R,T,H,N] -> Σ_h C V / Σ_h C [R,T,N,V]
Tensor mean_votes(const Tensor& votes, const Tensor& assignments) {
  constexpr double kSmallest = 1e-12;  // a capsule that no head votes for is 0
  return (assignments.unsqueeze(4) * votes).sum(2) /
         assignments.sum(2).clamp_min(kSmallest).unsqueeze(3);
}

class Routing : public HeadCombination {
 public:
  Routing(int64_t iterations, int64_t heads, int64_t width) : iterations_(iterations) {
    vote_ = add_parameter("vote", {heads, heads, width, width}, Init::matrices());
  }
  Tensor combine(const Tensor& heads) override {
    const Tensor votes = torch::einsum("rhtv,hnov->rthno", {heads, vote_});
    return route(votes).flatten(2);  // [R,T,N·V]
  }

 protected:
  virtual Tensor route(const Tensor& votes) = 0;  // -> [R,T,N,V]
  int64_t iterations_;

 private:
  Tensor vote_;  // W [H,N,V,V]
};

class DynamicRouting final : public Routing {
 public:
  using Routing::Routing;

 private:
  Tensor route(const Tensor& votes) override {
    Tensor logits = torch::zeros_like(votes.select(4, 0));  // B [R,T,H,N]
    Tensor capsules;
    for (int64_t i = 0; i < iterations_; ++i) {
      capsules = mean_votes(votes, torch::softmax(logits, 3));
      logits = logits + (capsules.unsqueeze(2) * votes).sum(4);
    }
    return capsules;
  }
};

// The cost χ_n = Σ_h -C_{h→n} log p(V_{h→n}) + β_μ Σ_h C_{h→n} has a constant for each of the V
// dimensions (Hinton et al. 2018, section 3),
//   χ_n = (β_μ + Σ_d (log σ_n,d + (1 + log 2π) / 2)) Σ_h C_{h→n},
// which is the initial value of the learned bias, so that β_μ is 0 at first, as is β_a. λ is the same
// in all iterations, as in Li et al. 2019; in Hinton et al. 2018 it grows.
class EmRouting final : public Routing {
 public:
  EmRouting(const EmKind& config, int64_t iterations, int64_t heads, int64_t width)
      : Routing(iterations, heads, width), lambda_(config.lambda) {
    const double constant = static_cast<double>(width) * (1 + std::log(2 * std::numbers::pi)) / 2;
    activation_bias_ = add_parameter("activation_bias", {heads}, Init::all(0));
    cost_bias_ = add_parameter("cost_bias", {heads}, Init::all(constant));
  }

 private:
  Tensor route(const Tensor& votes) override {
    constexpr double kSmallest = 1e-6;
    Tensor assignments =
        torch::full_like(votes.select(4, 0), 1.0 / static_cast<double>(votes.size(3)));
    Tensor mean, activation;
    for (int64_t i = 0; i < iterations_; ++i) {
      // M-step.
      mean = mean_votes(votes, assignments);                              // μ [R,T,N,V]
      const Tensor away = (votes - mean.unsqueeze(2)).square();           // [R,T,H,N,V]
      const Tensor variance = mean_votes(away, assignments) + kSmallest;  // σ² [R,T,N,V]
      const Tensor cost =
          (variance.log().sum(3) / 2 + cost_bias_) * assignments.sum(2);  // χ [R,T,N]
      const Tensor logit = lambda_ * (activation_bias_ - cost);
      activation = torch::sigmoid(logit);  // A [R,T,N]
      if (i + 1 == iterations_) break;
      // E-step.
      const Tensor log_density =
          -(away / variance.unsqueeze(2) + variance.unsqueeze(2).log()).sum(4) / 2;  // [R,T,H,N]
      assignments =
          torch::softmax(torch::log_sigmoid(logit).unsqueeze(2) + log_density, 3).clamp_min(1e-12);
    }
    return activation.unsqueeze(3) * mean;
  }

  double lambda_;
  Tensor activation_bias_, cost_bias_;  // β_a, and β_μ with the constant [N]
};

}  // namespace

std::shared_ptr<HeadCombination> builders::concat_heads(const HeadCombinationConfig&, int64_t,
                                                        int64_t) {
  return nullptr;
}

std::shared_ptr<HeadCombination> builders::routing(const HeadCombinationConfig& config,
                                                   int64_t heads, int64_t width) {
  const auto& settings = settings_as<RoutingConfig>(config);
  if (const auto* em = dynamic_cast<const EmKind*>(settings.routing.get()))
    return std::make_shared<EmRouting>(*em, settings.iterations, heads, width);
  return std::make_shared<DynamicRouting>(settings.iterations, heads, width);
}

}  // namespace heed
