#include "nn/int8_training.h"

#include <utility>

#include "nn/torch.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr double kSteps = 127;
constexpr double kSmallest = 1e-30;  // a row of smaller values becomes 0, as in the kernels

thread_local bool int8_in_use = false;

struct Quantized {
  Tensor integers, steps, largest;  // q [..,I]; s [..,1]; m [..,1], the index of the largest |x|
};

Quantized quantized(const Tensor& x) {
  const auto [magnitude, largest] = x.abs().max(-1, /*keepdim=*/true);
  const Tensor is_zero = magnitude <= kSmallest;
  const Tensor scale = torch::where(is_zero, torch::zeros_like(magnitude), kSteps / magnitude);
  return {(x * scale).round_(), torch::where(is_zero, magnitude * 0, magnitude / kSteps), largest};
}

class Rounding : public torch::autograd::Function<Rounding> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x) {
    context->save_for_backward({x});
    const Quantized own = quantized(x);
    return own.integers * own.steps;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const Tensor x = context->get_saved_variables()[0], &gradient = gradients[0];
    const Quantized own = quantized(x);
    // ∂L/∂s = Σ g_j (q_j - x_j/s)
    const Tensor errors = own.integers - x / own.steps.clamp_min(kSmallest);
    const Tensor by_step = (gradient * errors).sum(-1, /*keepdim=*/true);
    const Tensor sign = x.gather(-1, own.largest).sign();
    const Tensor by_largest =
        torch::where(own.steps > 0, by_step * sign / kSteps, torch::zeros_like(by_step));
    return {gradient.scatter_add(-1, own.largest, by_largest)};
  }
};

}  // namespace

Int8Scope::Int8Scope(bool on) : outer_(std::exchange(int8_in_use, on)) {}

Int8Scope::~Int8Scope() { int8_in_use = outer_; }

bool in_int8(const Tensor& x) { return int8_in_use && x.scalar_type() == torch::kFloat; }

Tensor rounded_to_int8(const Tensor& x) {
  if (x.numel() == 0) return x;
  return Rounding::apply(x);
}

Tensor int8_factor(const Tensor& x) { return in_int8(x) ? rounded_to_int8(x) : x; }

}  // namespace heed
