// constrained_sparsemax (Malaviya et al. 2018, section 3):
//   p = argmin |p - z|²  with Σ p = 1, 0 <= p_i <= u_i:   p_i = max(0, min(z_i - τ, u_i)),
// where u_i = f - Σ_{t'<t} p_t',i is what is left of the fertility f of token i, and the
// scores z_i are e_i + c u_i. The last readable token is the sink: it has no bound and no c u_i, so
// that a solution exists at each step. Without a sink, p = u once Σ u <= 1. The authors' code gives no
// gradient to the u in c u; here all u have one.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/normalizers/constrained_sparsemax_config.h"
#include "nn/attention/normalizers/masked_softmax.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// τ of scores z and bounds u, for Σ u > 1. Σ p falls with τ, from Σ u to 0, and is linear between
// the points z_i, below which p_i grows, and z_i - u_i, below which it is u_i.
Tensor threshold_of(const Tensor& z, const Tensor& u) {
  const Tensor points = torch::cat({z, z - u}, -1);
  const auto [sorted, order] = points.sort(-1, true);
  const Tensor turns = torch::cat({torch::ones_like(z), -torch::ones_like(z)}, -1);
  const Tensor slopes = turns.gather(-1, order).cumsum(-1);  // of Σ p below each point
  const Tensor steps =
      sorted.narrow(-1, 0, sorted.size(-1) - 1) - sorted.narrow(-1, 1, sorted.size(-1) - 1);
  const Tensor totals = torch::constant_pad_nd(
      (slopes.narrow(-1, 0, slopes.size(-1) - 1) * steps).cumsum(-1), {1, 0});  // Σ p at each point
  const Tensor last = ((totals < 1).sum(-1, true) - 1).clamp_min(0);
  return sorted.gather(-1, last) -
         (1 - totals.gather(-1, last)) / slopes.gather(-1, last).clamp_min(1);
}

struct Projection : torch::autograd::Function<Projection> {
  // All double; u is 0 where a key may not be read.
  static Tensor forward(AutogradContext* context, const Tensor& z, const Tensor& u) {
    const Tensor is_scarce = u.sum(-1, true) <= 1;
    const Tensor above = z - threshold_of(z, u);
    const Tensor is_bound = is_scarce | (above >= u), is_free = ~is_bound & (above > 0);
    context->save_for_backward({is_bound, is_free, is_scarce});
    return torch::where(is_bound, u, above.clamp_min(0));
  }
  // Malaviya et al. 2018, section 3: what a bound takes, the free elements give in equal parts.
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &is_bound = saved[0], &is_free = saved[1], &is_scarce = saved[2];
    const Tensor& gradient = gradients[0];
    const Tensor free = is_free.to(gradient.scalar_type());
    const Tensor mean = (free * gradient).sum(-1, true) / free.sum(-1, true).clamp_min(1);
    const Tensor difference = gradient - mean.masked_fill(is_scarce, 0);
    return {difference * free, difference.masked_fill(~is_bound, 0)};
  }
};

class ConstrainedSparsemax final : public Normalizer {
 public:
  explicit ConstrainedSparsemax(const ConstrainedSparsemaxConfig& config) : config_(config) {}
  Tensor weights(const Tensor& scores, const Tensor& mask, const At& at) override {
    constexpr double kNoBound = 2;  // greater than any weight
    const Tensor open = mask.expand_as(scores);
    const Tensor left = (config_.fertility - at.history.total).clamp_min(0);
    Tensor credit = left, bound = left;
    if (config_.sink) {
      const Tensor is_sink = last_of(open);
      credit = left.masked_fill(is_sink, 0);
      bound = left.masked_fill(is_sink, kNoBound);
    }
    const Tensor z =
        (scores + config_.credit * credit).masked_fill(~open, lowest_score(scores.scalar_type()));
    // Double, because z may be much greater than u.
    return Projection::apply((z - z.amax(-1, true)).to(torch::kDouble),
                             bound.masked_fill(~open, 0).to(torch::kDouble))
        .to(scores.scalar_type());
  }

 private:
  // The last key of each row of the mask.
  static Tensor last_of(const Tensor& open) {
    const Tensor seen = open.to(torch::kInt).cumsum(-1);
    return open & (seen == seen.amax(-1, true));
  }

  ConstrainedSparsemaxConfig config_;
};

}  // namespace

std::shared_ptr<Normalizer> builders::constrained_sparsemax(const NormalizerConfig& config,
                                                            const StageDims&) {
  return std::make_shared<ConstrainedSparsemax>(settings_as<ConstrainedSparsemaxConfig>(config));
}

}  // namespace heed
