// sparsemax: the Euclidean projection of the scores on the simplex, with exact zeros (Martins and
// Astudillo 2016, equation 2, algorithm 1; Jacobian equation 14).
// entmax15: α-entmax with α = 1.5, between softmax and sparsemax (Peters et al. 2019, equation 10,
// algorithm 2; Jacobian proposition 2).
// Both: p = [z - τ]₊^k with τ so that Σ p = 1, where k = 1, z = scores; or k = 2, z = scores / 2.
#include "nn/torch.h"

#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/attention/stages.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// τ of sorted z, greatest first and 0.  [..,1]
Tensor sparsemax_threshold(const Tensor& sorted, const Tensor& ordinals) {
  const Tensor sums = sorted.cumsum(-1);
  const Tensor support = (1 + ordinals * sorted > sums).sum(-1, true);
  return (sums.gather(-1, support - 1) - 1) / support;
}

Tensor entmax15_threshold(const Tensor& sorted, const Tensor& ordinals) {
  const Tensor mean = sorted.cumsum(-1) / ordinals;
  const Tensor deviation = sorted.square().cumsum(-1) - ordinals * mean.square();
  const Tensor thresholds = mean - ((1 - deviation) / ordinals).clamp_min(0).sqrt();
  const Tensor support = (thresholds <= sorted).sum(-1, true);
  return thresholds.gather(-1, support - 1);
}

// z with its greatest at 0; what lies below -1 has no weight in either, so neither has what may not
// be read.
Tensor shifted(const Tensor& z, const Tensor& mask) {
  constexpr double kNoWeight = -2;
  const Tensor highest = z.masked_fill(~mask, lowest_score(z.scalar_type())).amax(-1, true);
  return (z - highest).masked_fill(~mask, kNoWeight).clamp(kNoWeight, 0);
}

template <bool is_entmax>
struct Projection : torch::autograd::Function<Projection<is_entmax>> {
  static Tensor forward(AutogradContext* context, const Tensor& scores, const Tensor& mask) {
    const Tensor z = shifted(is_entmax ? scores / 2 : scores, mask);
    const Tensor sorted = std::get<0>(z.sort(-1, true));
    const Tensor ordinals = torch::arange(1, z.size(-1) + 1, z.options());
    const Tensor above =
        (z - (is_entmax ? entmax15_threshold : sparsemax_threshold)(sorted, ordinals)).clamp_min(0);
    const Tensor weights = (is_entmax ? above.square() : above).masked_fill(~mask, 0);
    context->save_for_backward({weights});
    return weights;
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const Tensor weights = context->get_saved_variables()[0];
    // s = √p, or 1 on the support: both are p^(2-α).
    const Tensor s = is_entmax ? weights.sqrt() : weights.gt(0).to(weights.scalar_type());
    const Tensor gradient = s * gradients[0];
    const Tensor shared = gradient.sum(-1, true) / s.sum(-1, true).clamp_min(1e-30);
    return {gradient - s * shared, Tensor()};
  }
};

template <bool is_entmax>
class Projected final : public Normalizer {
 public:
  Tensor weights(const Tensor& scores, const Tensor& mask, const At&) override {
    return Projection<is_entmax>::apply(scores, mask.expand_as(scores));
  }
};

template <bool is_entmax>
struct SimplexConfig final : NormalizerConfig {
  void fields(Fields&) const override {}
  std::shared_ptr<Normalizer> build(const StageDims&) const override {
    return std::make_shared<Projected<is_entmax>>();
  }
};

}  // namespace

namespace kinds {
Kind<NormalizerConfig> sparsemax() {
  return kind<SimplexConfig<false>, NormalizerConfig>(
      "sparsemax", "sparsemax: Euclidean projection onto the simplex (Martins 2016)");
}
Kind<NormalizerConfig> entmax15() {
  return kind<SimplexConfig<true>, NormalizerConfig>(
      "entmax15", "entmax with α = 1.5, between softmax and sparsemax (Peters 2019)");
}
}  // namespace kinds

}  // namespace heed
