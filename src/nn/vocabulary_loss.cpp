#include "nn/vocabulary_loss.h"

#include <algorithm>
#include <optional>

#include "nn/torch.h"

#include "kernels/kernels.h"
#include "nn/kernel_path.h"
#include "nn/parameter_gradient.h"
#include "nn/product.h"

namespace heed {

namespace {

// Tokens whose distributions exist at the same time. On a CPU those of a slice stay in its caches;
// where the vocabulary is too large for that, larger slices read the weight and its gradient less
// often. On a GPU a slice costs some thirty kernels, whatever its size, and has up to half a
// gigabyte.
int64_t slice_of(const Tensor& hidden, int64_t vocabulary) {
  constexpr int64_t kLeast = 128, kCached = 1 << 20;  // numbers
  if (!hidden.device().is_cpu()) return std::clamp<int64_t>((1 << 27) / vocabulary, kLeast, 8192);
  if (kLeast * vocabulary <= kCached) return kLeast;
  return std::clamp<int64_t>((1 << 24) / vocabulary, kLeast, 512);
}

struct Sums {
  Tensor loss, negative_log_probability, correct;  // []
};

// Adds a slice to the sums; returns the gradient of its logits in this number format, that of the
// products. nullopt: undefined. Overwrites `logits`, those without the bias. logits [n,V], bias [V]
// or empty, targets [n]
using SliceLoss = Tensor (*)(Tensor& logits, const Tensor& bias, const Tensor& targets,
                             double smoothing, std::optional<torch::ScalarType> format, Sums& sums);

Tensor slice_loss(Tensor& logits, const Tensor& bias, const Tensor& targets, double smoothing,
                  std::optional<torch::ScalarType> format, Sums& sums) {
  if (bias.numel() > 0) logits.add_(bias);
  const double vocabulary = static_cast<double>(logits.size(1));
  const Tensor target = targets.unsqueeze(1);              // [n,1]
  const Tensor log_norm = logits.logsumexp(1, true);       // [n,1]
  const Tensor nll = log_norm - logits.gather(1, target);  // [n,1]
  sums.negative_log_probability += nll.sum();
  sums.correct += logits.argmax(1).eq(targets).sum();
  sums.loss += nll.sum() * (1 - smoothing);
  if (smoothing > 0) sums.loss += (log_norm.squeeze(1) - logits.mean(1)).sum() * smoothing;
  if (!format) return {};
  logits.sub_(log_norm).exp_();
  if (smoothing > 0) logits.sub_(smoothing / vocabulary);
  logits.scatter_add_(1, target, torch::full_like(nll, smoothing - 1));
  return logits.to(*format);
}

// The same by the kernel, row by row, for float32 on a CPU; the result lies where `logits` lie.
Tensor slice_loss_by_kernel(Tensor& logits, const Tensor& bias, const Tensor& targets,
                            double smoothing, std::optional<torch::ScalarType> format, Sums& sums) {
  const int64_t vocabulary = logits.size(1);
  const bool rounds = format == torch::kBFloat16;
  auto* scores = logits.mutable_data_ptr<float>();
  const auto* target = targets.const_data_ptr<int64_t>();
  double loss = 0, mean = 0;
  int64_t correct = 0;
  for (int64_t i = 0; i < logits.size(0); ++i) {
    float* of_row = scores + i * vocabulary;
    const CrossEntropyRow row = kernels().cross_entropy(
        {.scores = of_row,
         .bias = bias.numel() > 0 ? bias.const_data_ptr<float>() : nullptr,
         .count = vocabulary,
         .target = target[i],
         .smoothing = static_cast<float>(smoothing),
         .with_gradient = format.has_value(),
         .rounded = rounds ? reinterpret_cast<uint16_t*>(of_row) : nullptr});
    loss += row.loss;
    mean += row.mean;
    correct += row.is_first ? 1 : 0;
  }
  sums.negative_log_probability += loss;
  sums.loss += (1 - smoothing) * loss + smoothing * mean;
  sums.correct += correct;
  if (!format) return {};
  return rounds ? logits.view(torch::kBFloat16).narrow(1, 0, vocabulary) : logits;
}

SliceLoss slice_loss_for(const Tensor& hidden) {
  return takes_kernels(hidden) ? slice_loss_by_kernel : slice_loss;
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
      grad_hidden = torch::empty_like(hidden, torch::MemoryFormat::Contiguous);
      grad_weight = torch::empty(weight.sizes(), weight.options().requires_grad(false));
      grad_bias = torch::zeros_like(bias);
    }
    const Tensor all_rows = factor(hidden), columns = factor(weight);
    const int64_t count = hidden.size(0);
    const PackedFactor across = PackedFactor::for_rows(count, columns.t());
    const PackedFactor along =
        with_gradient ? PackedFactor::for_rows(count, columns) : PackedFactor();
    const auto format = with_gradient ? std::optional(all_rows.scalar_type()) : std::nullopt;
    const SliceLoss add_slice = slice_loss_for(hidden);
    const int64_t slice = slice_of(hidden, weight.size(0));
    const Tensor buffer = torch::empty({std::min(slice, count), weight.size(0)},
                                       hidden.options().requires_grad(false));
    for (int64_t begin = 0; begin < count; begin += slice) {
      const int64_t size = std::min(slice, count - begin);
      const Tensor rows = all_rows.narrow(0, begin, size);
      Tensor logits = buffer.narrow(0, 0, size);  // [n,V]
      set_product(logits, rows, across);
      const Tensor by_logits =
          add_slice(logits, bias, targets.narrow(0, begin, size), smoothing, format, sums);
      if (!with_gradient) continue;
      Tensor by_rows = grad_hidden.narrow(0, begin, size);
      set_product(by_rows, by_logits, along);
      if (begin == 0) {
        set_product(grad_weight, by_logits.t(), rows);
      } else {
        add_product(grad_weight, by_logits.t(), rows);
      }
      if (has_bias) grad_bias.add_(sum_of_rows(by_logits));
    }
    if (with_gradient) context->save_for_backward({grad_hidden, grad_weight, grad_bias, weight});
    const Tensor loss = sums.loss.to(hidden.scalar_type());
    context->mark_non_differentiable({sums.negative_log_probability, sums.correct});
    return {loss, sums.negative_log_probability, sums.correct};
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list grads) {
    const auto saved = context->get_saved_variables();
    return {saved[0] * grads[0],
            scaled_for(saved[3], saved[1], grads[0]),
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
