#include "nn/gradient_sum.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/fast_paths.h"
#include "nn/operation.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

GradientSum& sum_in(const AutogradContext& context) {
  return gradient_sum(context.saved_data.at("sum"));
}

// Its backward comes after that of all steps.
class Collect : public torch::autograd::Function<Collect> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const GradientSumPointer& sum) {
    context->saved_data["sum"] = c10::IValue::make_capsule(sum);
    context->set_materialize_grads(false);
    return x.detach();
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const Tensor sum = sum_in(*context).take();
    if (!sum.defined()) return {gradients[0], Tensor()};
    return {gradients[0].defined() ? sum + gradients[0] : sum, Tensor()};
  }
};

class StepProduct : public torch::autograd::Function<StepProduct> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& a, const Tensor& b, bool transposed,
                        const GradientSumPointer& sum) {
    context->saved_data["sum"] = c10::IValue::make_capsule(sum);
    context->saved_data["transposed"] = transposed;
    context->save_for_backward({a, b});
    return torch::matmul(a, transposed ? b.transpose(-2, -1) : b);
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &a = saved[0], &b = saved[1], &by_y = gradients[0];
    const bool transposed = context->saved_data.at("transposed").toBool();
    sum_in(*context).add_product(transposed ? by_y : a, transposed ? a : by_y);
    Tensor by_a;
    if (context->needs_input_grad(0))
      by_a = torch::matmul(by_y, transposed ? b : b.transpose(-2, -1));
    return {by_a, Tensor(), Tensor(), Tensor()};
  }
};

bool same_batch(const Tensor& a, const Tensor& b) {
  const auto batch = [](const Tensor& x) {
    return x.sizes().slice(0, static_cast<size_t>(x.dim() - 2));
  };
  return a.dim() == b.dim() && batch(a) == batch(b);
}

Tensor product_of(const Tensor& a, const Tensor& b, bool transposed) {
  const GradientSumPointer sum = same_batch(a, b) ? gradient_sum_of(b) : nullptr;
  if (sum) return StepProduct::apply(a, b, transposed, sum);
  return torch::matmul(a, transposed ? b.transpose(-2, -1) : b);
}

}  // namespace

GradientSum& gradient_sum(const c10::IValue& stored) {
  return static_cast<GradientSum&>(*stored.toCapsule());
}

Tensor& GradientSum::total() {
  if (!total_.defined()) total_ = torch::zeros(sizes_, options_.requires_grad(false));
  return total_;
}

Tensor GradientSum::part(int64_t i) {
  if (!total_.defined()) {
    total_ = torch::empty(sizes_, options_.requires_grad(false));
    written_.assign(static_cast<size_t>(sizes_.at(0)), false);
  }
  HEED_CHECK(i < std::ssize(written_) && !written_[static_cast<size_t>(i)], "part {}", i);
  written_[static_cast<size_t>(i)] = true;
  return total_.select(0, i);
}

void GradientSum::add_product(const Tensor& a, const Tensor& b) {
  left_.push_back(a.detach());  // without the graph, which leads back to this sum
  right_.push_back(b.detach());
}

Tensor GradientSum::take() {
  for (size_t i = 0; i < written_.size(); ++i) {
    if (!written_[i]) total_.select(0, static_cast<int64_t>(i)).zero_();
  }
  written_.clear();
  if (!left_.empty()) {
    const Tensor product =
        torch::matmul(torch::cat(left_, -2).transpose(-2, -1), torch::cat(right_, -2));
    total_ = total_.defined() ? total_.add_(product) : product;
    left_.clear();
    right_.clear();
  }
  return std::exchange(total_, Tensor());
}

Tensor with_gradient_sum(const Tensor& x) {
  if (!fast_paths() || !torch::GradMode::is_enabled() || !x.requires_grad()) return x;
  return Collect::apply(x, c10::make_intrusive<GradientSum>(x));
}

GradientSumPointer gradient_sum_of(const Tensor& x) {
  if (!torch::GradMode::is_enabled() || !x.requires_grad()) return nullptr;
  const AutogradContext* saved = saved_by<Collect>(x);
  if (saved == nullptr) return nullptr;
  return c10::static_intrusive_pointer_cast<GradientSum>(saved->saved_data.at("sum").toCapsule());
}

Tensor step_product(const Tensor& a, const Tensor& b) { return product_of(a, b, false); }
Tensor step_product_transposed(const Tensor& a, const Tensor& b) { return product_of(a, b, true); }

}  // namespace heed
