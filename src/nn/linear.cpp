#include "nn/linear.h"

#include <optional>

#include "nn/torch.h"

#include "nn/int8_training.h"
#include "nn/layer_config.h"
#include "nn/layer_norm.h"
#include "nn/operation.h"
#include "nn/parameter_gradient.h"
#include "nn/product.h"
#include "nn/rounded_gradient.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// x [..,K] as [n,K].
Tensor as_rows(const Tensor& x) { return x.reshape({-1, x.size(-1)}); }

// With products in bfloat16; keeps the rounded x and weight for the gradient.
class Bf16Linear : public torch::autograd::Function<Bf16Linear> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                        const std::optional<Tensor>& bias) {
    const Tensor rows = as_rows(rounded_input(x)), rounded = to_bf16(weight);
    context->save_for_backward({rows, rounded, weight});
    context->saved_data["shape"] = x.sizes().vec();
    context->saved_data["has_bias"] = bias.has_value();
    store_rounded_gradient(*context);
    std::vector<int64_t> shape = x.sizes().vec();
    shape.back() = weight.size(0);
    return product(rows, PackedFactor::for_rows(rows.size(0), rounded.t()), bias.value_or(Tensor()))
        .view(shape);
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &rows = saved[0], &weight = saved[1], &parameter = saved[2];
    const bool has_bias = context->saved_data.at("has_bias").toBool();
    const auto [rounded, sum] = rounded_rows(*context, gradients[0], has_bias);
    return {context->needs_input_grad(0)
                ? product(rounded, PackedFactor::for_rows(rounded.size(0), weight))
                      .view(context->saved_data.at("shape").toIntVector())
                : Tensor(),
            context->needs_input_grad(1) ? product_for(parameter, rounded.t(), rows) : Tensor(),
            sum};
  }
};

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (in_int8(x)) return torch::linear(rounded_to_int8(x), rounded_to_int8(weight), bias);
  if (!in_bf16(x)) return torch::linear(x, weight, bias);
  return Bf16Linear::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

Tensor normed_product(const Tensor& x, const Tensor& weight, const Tensor& gain) {
  return torch::layer_norm(heed::linear(x, weight), {gain.size(0)}, gain, {}, kMarianNormEpsilon);
}

RoundedGradientPointer rounded_gradient_of_linear(const Tensor& y) {
  const AutogradContext* saved = saved_by<Bf16Linear>(y);
  return saved == nullptr ? nullptr : stored_rounded_gradient(*saved);
}

class Linear::Layer final : public Module {
 public:
  Layer(int64_t from, int64_t to, const LinearForm& form)
      : weight(*this, {to, from}, form.norm, form.weight) {
    if (form.bias) bias = add_parameter("bias", {to}, Init::all(form.first_bias));
  }
  void freeze() override { weight.freeze(); }

  NormedWeight weight;
  Tensor bias;
};

Linear::Linear(Module& owner, const std::string& name, int64_t from, int64_t to,
               const LinearForm& form)
    : layer_(owner.register_module(name, std::make_shared<Layer>(from, to, form))) {}

Tensor Linear::operator()(const Tensor& x) const { return linear(x, weight(), layer_->bias); }

Tensor Linear::weight() const { return layer_->weight.get(); }

const Tensor& Linear::bias() const { return layer_->bias; }

}  // namespace heed
