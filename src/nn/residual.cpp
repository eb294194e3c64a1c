#include "nn/residual.h"

#include "nn/torch.h"

#include "kernels/kernels.h"
#include "nn/admin_profile.h"
#include "nn/feed_forward.h"
#include "nn/kernel_path.h"
#include "nn/linear.h"
#include "nn/product.h"
#include "nn/rounded_gradient.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

class AddDropped : public torch::autograd::Function<AddDropped> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& f,
                        const DropoutKeys& dropout) {
    const Tensor left = x.contiguous(), right = f.contiguous();
    const Tensor y = torch::empty(left.sizes(), left.options().requires_grad(false));
    const int64_t width = x.size(-1);
    kernels().add_dropped(left.const_data_ptr<float>(), right.const_data_ptr<float>(),
                          x.numel() / width, width, dropout.rows(), y.mutable_data_ptr<float>());
    context->save_for_backward({dropout.keys});
    context->saved_data["p"] = dropout.p;
    RoundedGradientPointer of_f = rounded_gradient_of_linear(f);
    if (!of_f) of_f = rounded_gradient_of_feed_forward(f);
    if (of_f) context->saved_data["gradient of f"] = c10::IValue::make_capsule(of_f);
    return y;
  }

  // Also rounds the gradient of f, in the same pass, for the products that computed f.
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const DropoutKeys dropout{.keys = context->get_saved_variables()[0],
                              .p = context->saved_data.at("p").toDouble()};
    const Tensor by_y = gradients[0].contiguous(), by_f = torch::empty_like(by_y);
    const int64_t width = by_y.size(-1);
    RoundedAndSum known;
    uint16_t* rounded = nullptr;
    float* sums = nullptr;
    const auto of_f = context->saved_data.find("gradient of f");
    if (of_f != context->saved_data.end()) {
      known = {torch::empty(by_y.sizes(), by_y.options().dtype(torch::kBFloat16)),
               torch::zeros({width}, by_y.options())};
      rounded = halves_of(known.rounded);
      sums = known.sum.mutable_data_ptr<float>();
    }
    kernels().drop(by_y.const_data_ptr<float>(), by_y.numel() / width, width, dropout.rows(),
                   by_f.mutable_data_ptr<float>(), rounded, sums);
    if (rounded != nullptr) rounded_gradient(of_f->second).put(by_f, known);
    return {gradients[0], by_f, Tensor()};
  }
};

}  // namespace

Tensor add_dropped(const Tensor& x, const Tensor& f, double p, const Pass& pass) {
  if (!pass.training || p <= 0) return x + f;
  if (!takes_kernels(f) || f.sizes() != x.sizes()) return x + dropout(f, p, pass);
  return AddDropped::apply(x, f, dropout_keys(f.sizes(), p, pass));
}

Residual::Residual(int64_t width, NormPlace place, double dropout_probability, NormType type)
    : place_(place),
      dropout_(dropout_probability),
      norm_(register_module("norm", build(type, width))) {
  if (place == NormPlace::kAdmin) omega_ = add_parameter("omega", {width}, Init::all(1));
}

void Residual::deepen(const DeepNorm& depth, std::shared_ptr<Module> f) {
  if (place_ != NormPlace::kDeep) return;
  depth_ = depth;
  deepened_ = std::move(f);
}

void Residual::change_initial_values() {
  if (deepened_) scale_weights(*deepened_, depth_.beta);
}

void Residual::set_omega(double value) {
  const torch::NoGradGuard no_grad;
  omega_.fill_(value);
}

Tensor Residual::forward(const Tensor& x, const Pass& pass,
                         const std::function<Tensor(const Tensor&)>& inner) {
  return join(x, inner, [&](const Tensor& own, const Tensor& f) {
    return add_dropped(own, f, dropout_, pass);
  });
}

Tensor Residual::around(const Tensor& x, const std::function<Tensor(const Tensor&)>& inner) {
  return join(x, inner, [](const Tensor& own, const Tensor& f) { return own + f; });
}

Tensor Residual::join(const Tensor& x, const std::function<Tensor(const Tensor&)>& inner,
                      const Join& sum) {
  if (place_ == NormPlace::kPre) {
    const auto [normed, own] = norm_->branches(x);
    return sum(own, inner(normed));
  }
  const Tensor f = inner(x);
  AdminProfile* profile = AdminProfile::current();
  if (profile != nullptr && has_omega()) profile->add(*this, x, f);
  return (*norm_)(sum(scaled(x), f));
}

// x with the factor of its connection: α, ω or 1.
Tensor Residual::scaled(const Tensor& x) const {
  if (place_ == NormPlace::kDeep) return x * depth_.alpha;
  return has_omega() ? x * omega_ : x;
}

}  // namespace heed
