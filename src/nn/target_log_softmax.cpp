#include "nn/target_log_softmax.h"

#include "nn/torch.h"

#include "nn/int8_training.h"
#include "nn/product.h"

namespace heed {

namespace {

class FusedLogSoftmax : public torch::autograd::Function<FusedLogSoftmax> {
 public:
  static torch::autograd::tensor_list forward(torch::autograd::AutogradContext* context,
                                              const Tensor& hidden, const Tensor& weight,
                                              const Tensor& bias, const Tensor& targets) {
    const Tensor rows = factor(hidden), columns = factor(weight);
    Tensor scores = product(rows, columns.t(), bias);                               // [N,V]
    const Tensor log_norm = scores.logsumexp(1, true);                              // [N,1]
    const Tensor log_probs = scores.gather(1, targets.unsqueeze(1)).sub(log_norm);  // [N,1]
    const Tensor probabilities = scores.sub_(log_norm).exp_();                      // [N,V]
    context->mark_non_differentiable({probabilities});
    context->save_for_backward({rows, columns, bias, targets, probabilities});
    return {log_probs, log_norm, probabilities};
  }

  // The gradient of log_probs by the scores is 1 at the target, minus the probabilities; that of
  // log_norm is the probabilities.
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list grads) {
    const auto saved = context->get_saved_variables();
    const Tensor &rows = saved[0], &weight = saved[1], &bias = saved[2];
    Tensor by_scores = saved[4] * (grads[1] - grads[0]);  // [N,V]
    by_scores.scatter_add_(1, saved[3].unsqueeze(1), grads[0]);
    const Tensor rounded = operand(by_scores, weight);
    return {product(rounded, weight), product(rounded.t(), rows),
            bias.numel() > 0 ? by_scores.sum(0) : torch::zeros_like(bias), Tensor()};
  }
};

}  // namespace

TargetLogSoftmax target_log_softmax(const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                                    const Tensor& targets) {
  const Tensor any_bias =
      bias.defined() ? bias : torch::empty({0}, weight.options().requires_grad(false));
  const auto parts =
      FusedLogSoftmax::apply(int8_factor(hidden), int8_factor(weight), any_bias, targets);
  return {parts[0], parts[1], parts[2]};
}

}  // namespace heed
