#include "nn/vocabulary_loss.h"

#include <algorithm>
#include <optional>

#include "nn/torch.h"

#include "kernels/kernels.h"
#include "nn/int8_training.h"
#include "nn/kernel_path.h"
#include "nn/parameter_gradient.h"
#include "nn/product.h"

namespace heed {

namespace {

// Tokens whose distributions exist at the same time. On a CPU those of a slice stay in its caches;
// where the vocabulary is too large for that, larger slices read the weight and its gradient less
// often. On a GPU a slice costs some thirty kernels, whatever its size, and has up to half a
// gigabyte: with slices of 8,192 tokens an update of the Transformer of
// configs/multi30k-transformer.yaml makes 7,717 calls of libtorch in place of 11,166.
int64_t slice_of(const Tensor& hidden, int64_t vocabulary) {
  constexpr int64_t kCached = 1 << 20;             // numbers
  const int64_t least = kernels().amx ? 64 : 128;  // AMX has the weight packed for all slices
  if (!hidden.device().is_cpu()) return std::clamp<int64_t>((1 << 27) / vocabulary, least, 8192);
  if (least * vocabulary <= kCached) return least;
  return std::clamp<int64_t>((1 << 24) / vocabulary, least, 512);
}

// Slices whose gradients are kept in bfloat16, up to 8 MB, for one product with the hidden states: the
// gradient of the weight, which no cache holds, is read and written once for them all. One alone
// where slices are large.
int64_t slices_of_group(const Tensor& hidden, int64_t slice, int64_t vocabulary) {
  constexpr int64_t kKept = 1 << 22;  // numbers
  return hidden.device().is_cpu() ? std::max<int64_t>(1, kKept / (slice * vocabulary)) : 1;
}

struct Sums {
  Tensor loss, negative_log_probability, correct;  // []
};

// Adds a slice to the sums, and writes the gradient of its logits, in the number format of the
// products; undefined: none. Overwrites `logits`, those without the bias; the gradient may lie where
// they lie. logits and gradient [n,V], bias [V] or empty, targets [n]
using SliceLoss = void (*)(Tensor& logits, const Tensor& bias, const Tensor& targets,
                           double smoothing, Tensor& gradient, Sums& sums);

void slice_loss(Tensor& logits, const Tensor& bias, const Tensor& targets, double smoothing,
                Tensor& gradient, Sums& sums) {
  if (bias.numel() > 0) logits.add_(bias);
  const double vocabulary = static_cast<double>(logits.size(1));
  const Tensor target = targets.unsqueeze(1);              // [n,1]
  const Tensor log_norm = logits.logsumexp(1, true);       // [n,1]
  const Tensor nll = log_norm - logits.gather(1, target);  // [n,1]
  sums.negative_log_probability += nll.sum();
  sums.correct += logits.argmax(1).eq(targets).sum();
  sums.loss += nll.sum() * (1 - smoothing);
  if (smoothing > 0) sums.loss += (log_norm.squeeze(1) - logits.mean(1)).sum() * smoothing;
  if (!gradient.defined()) return;
  logits.sub_(log_norm).exp_();
  if (smoothing > 0) logits.sub_(smoothing / vocabulary);
  logits.scatter_add_(1, target, torch::full_like(nll, smoothing - 1));
  gradient.copy_(logits);  // nothing where they are the same memory
}

// The same by the kernel, row by row, for float32 on a CPU.
void slice_loss_by_kernel(Tensor& logits, const Tensor& bias, const Tensor& targets,
                          double smoothing, Tensor& gradient, Sums& sums) {
  const int64_t vocabulary = logits.size(1);
  uint16_t* rounded = gradient.defined() && gradient.scalar_type() == torch::kBFloat16
                          ? halves_of(gradient)
                          : nullptr;
  auto* scores = logits.mutable_data_ptr<float>();
  const auto* target = targets.const_data_ptr<int64_t>();
  double loss = 0, mean = 0;
  int64_t correct = 0;
  for (int64_t i = 0; i < logits.size(0); ++i) {
    const CrossEntropyRow row = kernels().cross_entropy(
        {.scores = scores + i * vocabulary,
         .bias = bias.numel() > 0 ? bias.const_data_ptr<float>() : nullptr,
         .count = vocabulary,
         .target = target[i],
         .smoothing = static_cast<float>(smoothing),
         .with_gradient = gradient.defined(),
         .rounded = rounded != nullptr ? rounded + i * gradient.stride(0) : nullptr});
    loss += row.loss;
    mean += row.mean;
    correct += row.is_first ? 1 : 0;
  }
  sums.negative_log_probability += loss;
  sums.loss += (1 - smoothing) * loss + smoothing * mean;
  sums.correct += correct;
}

// The slices of the tokens [n,·], and the buffers that they share.
class Slices {
 public:
  // format: of the gradients; nullopt: there are none.
  Slices(const Tensor& hidden, int64_t vocabulary, std::optional<torch::ScalarType> format)
      : by_kernel_(takes_kernels(hidden)),
        count_(hidden.size(0)),
        size_(slice_of(hidden, vocabulary)) {
    const auto options = hidden.options().requires_grad(false);
    logits_ = torch::empty({std::min(size_, count_), vocabulary}, options);
    if (!format) return;
    const bool rounds = *format != logits_.scalar_type();
    group_ = rounds ? size_ * slices_of_group(hidden, size_, vocabulary) : size_;
    if (!rounds) {
      gradients_ = logits_;
    } else if (by_kernel_ && group_ == size_) {
      gradients_ = logits_.view(*format).narrow(1, 0, vocabulary);
    } else {
      gradients_ = torch::empty({std::min(group_, count_), vocabulary}, options.dtype(*format));
    }
  }

  SliceLoss loss() const { return by_kernel_ ? slice_loss_by_kernel : slice_loss; }
  int64_t size_at(int64_t begin) const { return std::min(size_, count_ - begin); }
  Tensor logits(int64_t begin) const { return logits_.narrow(0, 0, size_at(begin)); }
  Tensor gradient(int64_t begin) const {
    return gradients_.defined() ? gradients_.narrow(0, begin % group_, size_at(begin)) : Tensor();
  }
  // The tokens of a group of slices from `begin` on, with the gradients of their logits.
  struct Group {
    int64_t begin;
    Tensor gradients;
  };
  // The one that the slice at `begin` completes; nullopt: others follow.
  std::optional<Group> completed_by(int64_t begin) const {
    const int64_t end = begin + size_at(begin), first = begin / group_ * group_;
    if (end % group_ != 0 && end != count_) return std::nullopt;
    return Group{first, gradients_.narrow(0, 0, end - first)};
  }

 private:
  bool by_kernel_;
  int64_t count_, size_, group_ = 0;
  Tensor logits_, gradients_;
};

class FusedLoss : public torch::autograd::Function<FusedLoss> {
 public:
  static torch::autograd::tensor_list forward(torch::autograd::AutogradContext* context,
                                              const Tensor& hidden, const Tensor& weight,
                                              const Tensor& bias, const Tensor& targets,
                                              double smoothing, bool with_gradient) {
    const Tensor zero = torch::zeros({}, hidden.options().dtype(torch::kDouble));
    Sums sums{zero.clone(), zero.clone(), torch::zeros({}, targets.options())};
    Gradients by;
    if (with_gradient) by = Gradients(hidden, weight, bias);
    const Tensor all_rows = factor(hidden), columns = factor(weight);
    const int64_t count = hidden.size(0);
    const PackedFactor across = PackedFactor::for_rows(count, columns.t());
    const PackedFactor along =
        with_gradient ? PackedFactor::for_rows(count, columns) : PackedFactor();
    const Slices slices(hidden, weight.size(0),
                        with_gradient ? std::optional(all_rows.scalar_type()) : std::nullopt);
    int64_t end = 0;
    for (int64_t begin = 0; begin < count; begin = end) {
      end = begin + slices.size_at(begin);
      Tensor logits = slices.logits(begin), by_logits = slices.gradient(begin);  // [n,V]
      set_product(logits, all_rows.narrow(0, begin, end - begin), across);
      slices.loss()(logits, bias, targets.narrow(0, begin, end - begin), smoothing, by_logits,
                    sums);
      if (!with_gradient) continue;
      Tensor by_rows = by.hidden.narrow(0, begin, end - begin);
      set_product(by_rows, by_logits, along);
      if (const auto group = slices.completed_by(begin))
        by.add(group->gradients, all_rows.narrow(0, group->begin, group->gradients.size(0)));
    }
    if (with_gradient) context->save_for_backward({by.hidden, by.weight, by.bias, weight});
    const Tensor loss = sums.loss.to(hidden.scalar_type());
    context->mark_non_differentiable({sums.negative_log_probability, sums.correct});
    return {loss, sums.negative_log_probability, sums.correct};
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list grads) {
    const auto saved = context->get_saved_variables();
    return {saved[0] * grads[0],
            context->needs_input_grad(1) ? scaled_for(saved[3], saved[1], grads[0]) : Tensor(),
            saved[2] * grads[0],
            Tensor(),
            Tensor(),
            Tensor()};
  }

 private:
  struct Gradients {
    Tensor hidden, weight, bias;  // weight: undefined if it needs no gradient
    Gradients() = default;
    Gradients(const Tensor& of_hidden, const Tensor& of_weight, const Tensor& of_bias)
        : hidden(torch::empty_like(of_hidden, torch::MemoryFormat::Contiguous)),
          weight(of_weight.requires_grad() ? torch::zeros_like(of_weight) : Tensor()),
          bias(torch::zeros_like(of_bias)) {}
    // by_logits [n,V], rows [n,W]
    void add(const Tensor& by_logits, const Tensor& rows) {
      if (weight.defined()) add_product(weight, by_logits.t(), rows);
      if (bias.numel() > 0) bias.add_(sum_of_rows(by_logits));
    }
  };
};

}  // namespace

VocabularyLoss vocabulary_loss(const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                               const Tensor& targets, double smoothing) {
  const Tensor any_bias =
      bias.defined() ? bias : torch::empty({0}, weight.options().requires_grad(false));
  const bool with_gradient =
      torch::GradMode::is_enabled() &&
      (hidden.requires_grad() || weight.requires_grad() || any_bias.requires_grad());
  const auto parts = FusedLoss::apply(int8_factor(hidden), int8_factor(weight), any_bias, targets,
                                      smoothing, with_gradient);
  return {parts[0], parts[1], parts[2]};
}

}  // namespace heed
