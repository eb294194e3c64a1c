#include "nn/simplex_projection.h"

#include <algorithm>

#include "nn/torch.h"

#include "nn/attention/normalizers/masked_softmax.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Threshold {
  Tensor tau;      // [..,1]
  Tensor support;  // [..,1] number of elements above tau
};

// Threshold of x in descending order, whose first element is 0; `sorted` may contain only the
// largest elements. With a NaN in x no element is above the threshold, which is NaN.
Threshold sparsemax_threshold(const Tensor& sorted, const Tensor& ordinals) {
  const Tensor sums = sorted.cumsum(-1);
  const Tensor support = (1 + ordinals * sorted > sums).sum(-1, true);
  return {(sums.gather(-1, (support - 1).clamp_min(0)) - 1) / support, support};
}

Threshold entmax15_threshold(const Tensor& sorted, const Tensor& ordinals) {
  const Tensor mean = sorted.cumsum(-1) / ordinals;
  const Tensor deviation = sorted.square().cumsum(-1) - ordinals * mean.square();
  const Tensor thresholds = mean - ((1 - deviation) / ordinals).clamp_min(0).sqrt();
  const Tensor support = (thresholds <= sorted).sum(-1, true);
  return {thresholds.gather(-1, (support - 1).clamp_min(0)), support};
}

// Computes the threshold from the largest scores only. Doubles their number as long as all of them
// are above the threshold.
Tensor threshold_of(const Tensor& x, SimplexProjection projection) {
  constexpr int64_t kFirst = 128;
  for (int64_t count = std::min(kFirst, x.size(-1));; count = std::min(2 * count, x.size(-1))) {
    const Tensor sorted = std::get<0>(x.topk(count, -1));
    const Tensor ordinals = torch::arange(1, count + 1, x.options());
    const auto [tau, support] = projection == SimplexProjection::kEntmax15
                                    ? entmax15_threshold(sorted, ordinals)
                                    : sparsemax_threshold(sorted, ordinals);
    if (count == x.size(-1) || support.max().item<int64_t>() < count) return tau;
  }
}

// Shifts x so that its maximum is 0. Elements below -1 have no weight in either projection;
// masked ones are set below -1.
Tensor shifted(const Tensor& x, const Tensor& mask) {
  constexpr double kNoWeight = -2;
  const Tensor highest = mask.defined()
                             ? x.masked_fill(~mask, lowest_score(x.scalar_type())).amax(-1, true)
                             : x.amax(-1, true);
  const Tensor lower = x - highest;
  return (mask.defined() ? lower.masked_fill(~mask, kNoWeight) : lower).clamp(kNoWeight, 0);
}

struct Projection : torch::autograd::Function<Projection> {
  // any_mask: empty without a mask.
  static Tensor forward(AutogradContext* context, const Tensor& scores, const Tensor& any_mask,
                        bool is_entmax) {
    const Tensor mask = any_mask.numel() > 0 ? any_mask : Tensor();
    const Tensor x = shifted(is_entmax ? scores / 2 : scores, mask);
    context->saved_data["is_entmax"] = is_entmax;
    if (x.numel() == 0) {
      context->save_for_backward({x});
      return x;
    }
    const auto kind = is_entmax ? SimplexProjection::kEntmax15 : SimplexProjection::kSparsemax;
    const Tensor above = (x - threshold_of(x, kind)).clamp_min(0);
    Tensor weights = is_entmax ? above.square() : above;
    if (mask.defined()) weights = weights.masked_fill(~mask, 0);
    context->save_for_backward({weights});
    return weights;
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const Tensor weights = context->get_saved_variables()[0];
    // s = √p, or 1 on the support: both are p^(2-α).
    const Tensor s = context->saved_data.at("is_entmax").toBool()
                         ? weights.sqrt()
                         : weights.gt(0).to(weights.scalar_type());
    const Tensor gradient = s * gradients[0];
    const Tensor shared = gradient.sum(-1, true) / s.sum(-1, true).clamp_min(1e-30);
    return {gradient - s * shared, Tensor(), Tensor()};
  }
};

}  // namespace

double alpha_of(SimplexProjection projection) {
  return projection == SimplexProjection::kEntmax15 ? 1.5 : 2;
}

Tensor project_on_simplex(const Tensor& scores, SimplexProjection projection, const Tensor& mask) {
  const Tensor any_mask = mask.defined() ? mask : torch::empty({0}, torch::kBool);
  return Projection::apply(scores, any_mask, projection == SimplexProjection::kEntmax15);
}

}  // namespace heed
