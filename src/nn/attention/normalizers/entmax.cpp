// entmax: p = argmax_p p·z + H_α(p), H_α the Tsallis entropies (Peters et al. 2019, equation 10),
// with a fixed α, or with one for each head, α = 1 + sigmoid(a), a learned (Correia et al. 2019,
// section 3). With ε = α - 1,
//   p_i = [ε z_i - τ]₊^(1/ε) = [1 + ε (z_i - θ)]₊^(1/ε),   τ = ε θ - 1,  θ so that Σ p = 1;
// θ is the log of the softmax's sum for α → 1, so that the form is exact there, too. Newton's method
// on log Σ p finds it, kept within bounds that get narrower.
#include <cmath>
#include <limits>

#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/normalizers/entmax_config.h"
#include "nn/attention/normalizers/masked_softmax.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// p^(1-ε), 0 where p is.
Tensor powers(const Tensor& log_p, const Tensor& excess) {
  return torch::exp((1 - excess) * log_p).masked_fill(log_p.isneginf(), 0);
}

// log p of scores x whose maximum is 0.
Tensor log_weights(const Tensor& x, const Tensor& excess) {
  constexpr int kMostSteps = 60;
  const double precision =
      8 * (x.scalar_type() == torch::kDouble ? std::numeric_limits<double>::epsilon()
                                             : std::numeric_limits<float>::epsilon());
  const auto log_p = [&](const Tensor& theta) {
    return torch::log1p((excess * (x - theta)).clamp_min(-1)) / excess;
  };
  Tensor theta = torch::zeros_like(x.narrow(-1, 0, 1)), low = theta;
  // A little above θ for equal scores.
  Tensor high = (-1.1 * torch::expm1(-std::log(static_cast<double>(x.size(-1))) * excess) / excess)
                    .expand_as(theta);
  Tensor result = log_p(theta);
  for (int step = 0; step < kMostSteps; ++step) {
    const Tensor total = result.exp().sum(-1, true);
    const Tensor next = theta + total * total.log() / powers(result, excess).sum(-1, true);
    const Tensor is_low = total >= 1;
    low = torch::where(is_low, theta, low);
    high = torch::where(is_low, high, theta);
    const Tensor moved = torch::where((next >= low) & (next <= high), next, (low + high) / 2);
    const Tensor change = (moved - theta).abs();
    theta = moved;
    result = log_p(theta);
    if (!(change > precision * (1 + theta)).any().item<bool>()) break;
  }
  return result - result.logsumexp(-1, true);
}

// p times the derivative of log p with respect to α for a fixed θ,
//   p (1 - z - e^-z) / ε²  with z = ε log p;
// near z = 0, where the difference is small, by its series.
Tensor change_by_alpha(const Tensor& log_p, const Tensor& excess) {
  constexpr int kTerms = 12;
  constexpr double kNear = 0.5;
  const Tensor none = log_p.isneginf();
  const Tensor known = log_p.masked_fill(none, 0), p = log_p.exp(), z = excess * known,
               near = z.clamp_min(-kNear);
  Tensor series = torch::zeros_like(z);  // (e^-z - 1 + z) / z²
  for (int n = kTerms; n > 0; --n) series = (1 - near * series) / (n + 1);
  return torch::where(z < -kNear, (p - p * z - powers(log_p, excess)) / excess.square(),
                      -p * known.square() * series);
}

struct Entmax : torch::autograd::Function<Entmax> {
  // excess: ε [H,1,1]
  static Tensor forward(AutogradContext* context, const Tensor& scores, const Tensor& mask,
                        const Tensor& excess) {
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    const Tensor hidden = ~mask, shown = hidden & mask.any(-1, true);
    const Tensor x = scores.masked_fill(hidden, lowest_score(scores.scalar_type()));
    const Tensor log_p =
        x.size(-1) == 0 ? x
                        : log_weights((x - x.amax(-1, true)).masked_fill(shown, kNever), excess)
                              .masked_fill(hidden, kNever);
    context->save_for_backward({log_p, excess});
    return log_p.exp();
  }

  // Peters et al. 2019, proposition 2; Correia et al. 2019, proposition 1, with its limit at α = 1.
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &log_p = saved[0], &excess = saved[1];
    const Tensor s = powers(log_p, excess);
    const Tensor gradient = gradients[0];
    const Tensor shared = (s * gradient).sum(-1, true) / s.sum(-1, true).clamp_min(1e-30);  // Σ g p̃
    Tensor by_excess;
    if (context->needs_input_grad(2)) {
      by_excess =
          (change_by_alpha(log_p, excess) * (gradient - shared)).sum({0, 2, 3}).view({-1, 1, 1});
    }
    return {s * (gradient - shared), Tensor(), by_excess};
  }
};

class EntmaxNormalizer final : public Normalizer {
 public:
  EntmaxNormalizer(const EntmaxConfig& config, int64_t heads)
      : heads_(heads), alpha_(config.alpha) {
    const double excess = alpha_ - 1;
    if (config.learned)
      logit_ = add_parameter("logit", {heads}, Init::all(std::log(excess / (1 - excess))));
  }
  Tensor weights(const Tensor& scores, const Tensor& mask, const At&) override {
    constexpr double kSmallest = 1e-6;  // ε; smaller ones are the softmax
    const Tensor excess = logit_.defined() ? torch::sigmoid(logit_)
                                           : torch::full({heads_}, alpha_ - 1, scores.options());
    return Entmax::apply(scores, mask.expand_as(scores),
                         excess.clamp_min(kSmallest).view({heads_, 1, 1}));
  }

 private:
  int64_t heads_;
  double alpha_;
  Tensor logit_;  // a [H], if α is learned
};

}  // namespace

std::shared_ptr<Normalizer> builders::entmax(const NormalizerConfig& config,
                                             const StageDims& dims) {
  return std::make_shared<EntmaxNormalizer>(settings_as<EntmaxConfig>(config), dims.heads);
}

}  // namespace heed
