#include "nn/vocabulary_loss.h"

#include "nn/torch.h"

namespace heed {

namespace {

constexpr int64_t kSlice = 256;  // tokens whose distributions exist at the same time

struct Sums {
  Tensor loss, negative_log_probability, correct;  // []
};

// Loss of a slice; replaces `logits` by its gradient. logits [n,V], targets [n]
void slice_loss(Tensor& logits, const Tensor& targets, double smoothing, bool with_gradient,
                Sums& sums) {
  const double vocabulary = static_cast<double>(logits.size(1));
  const Tensor target = targets.unsqueeze(1);              // [n,1]
  const Tensor log_norm = logits.logsumexp(1, true);       // [n,1]
  const Tensor nll = log_norm - logits.gather(1, target);  // [n,1]
  sums.negative_log_probability += nll.sum();
  sums.correct += logits.argmax(1).eq(targets).sum();
  sums.loss += nll.sum() * (1 - smoothing);
  if (smoothing > 0) sums.loss += (log_norm.squeeze(1) - logits.mean(1)).sum() * smoothing;
  if (!with_gradient) return;
  logits.sub_(log_norm).exp_();
  if (smoothing > 0) logits.sub_(smoothing / vocabulary);
  logits.scatter_add_(1, target, torch::full_like(nll, smoothing - 1));
}

class FusedLoss : public torch::autograd::Function<FusedLoss> {
 public:
  static torch::autograd::tensor_list forward(torch::autograd::AutogradContext* context,
                                              const Tensor& hidden, const Tensor& weight,
                                              const Tensor& bias, const Tensor& targets,
                                              double smoothing, bool with_gradient) {
    const bool has_bias = bias.numel() > 0;
    const Tensor zero = torch::zeros({}, hidden.options().dtype(torch::kDouble));
    Sums sums{zero.clone(), zero.clone(), torch::zeros({}, targets.options())};
    Tensor grad_hidden, grad_weight, grad_bias;
    if (with_gradient) {
      grad_hidden = torch::empty_like(hidden);
      grad_weight = torch::zeros_like(weight);
      grad_bias = torch::zeros_like(bias);
    }
    for (int64_t begin = 0; begin < hidden.size(0); begin += kSlice) {
      const int64_t count = std::min(kSlice, hidden.size(0) - begin);
      const Tensor rows = hidden.narrow(0, begin, count);
      Tensor logits =
          has_bias ? torch::addmm(bias, rows, weight.t()) : torch::mm(rows, weight.t());  // [n,V]
      slice_loss(logits, targets.narrow(0, begin, count), smoothing, with_gradient, sums);
      if (!with_gradient) continue;
      Tensor grad_rows = grad_hidden.narrow(0, begin, count);
      torch::mm_out(grad_rows, logits, weight);
      grad_weight.addmm_(logits.t(), rows);
      if (has_bias) grad_bias.add_(logits.sum(0));
    }
    if (with_gradient) context->save_for_backward({grad_hidden, grad_weight, grad_bias});
    const Tensor loss = sums.loss.to(hidden.scalar_type());
    context->mark_non_differentiable({sums.negative_log_probability, sums.correct});
    return {loss, sums.negative_log_probability, sums.correct};
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list grads) {
    const auto saved = context->get_saved_variables();
    return {saved[0] * grads[0],
            saved[1] * grads[0],
            saved[2] * grads[0],
            Tensor(),
            Tensor(),
            Tensor()};
  }
};

}  // namespace

VocabularyLoss vocabulary_loss(const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                               const Tensor& targets, double smoothing) {
  const Tensor any_bias =
      bias.defined() ? bias : torch::empty({0}, weight.options().requires_grad(false));
  const bool with_gradient =
      torch::GradMode::is_enabled() &&
      (hidden.requires_grad() || weight.requires_grad() || any_bias.requires_grad());
  const auto parts = FusedLoss::apply(hidden, weight, any_bias, targets, smoothing, with_gradient);
  return {parts[0], parts[1], parts[2]};
}

}  // namespace heed
