#include "nn/layer_norm.h"

#include "nn/torch.h"

#include "kernels/kernels.h"
#include "nn/kernel_path.h"
#include "nn/operation.h"
#include "nn/product.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

LayerNormView view_of(const Tensor& x, const Tensor& weight, const Tensor& mean,
                      const Tensor& scale) {
  return {.rows = mean.numel(),
          .width = x.size(-1),
          .x = x.const_data_ptr<float>(),
          .gain = weight.const_data_ptr<float>(),
          .bias = nullptr,
          .mean = mean.data_ptr<float>(),
          .scale = scale.data_ptr<float>()};
}

// (x normalized, x)
class Normalize : public torch::autograd::Function<Normalize> {
 public:
  static tensor_list forward(AutogradContext* context, const Tensor& x, const Tensor& weight,
                             const Tensor& bias, bool rounds) {
    const Tensor rows = x.contiguous();
    const auto options = rows.options().requires_grad(false);
    const Tensor mean = torch::empty({rows.numel() / rows.size(-1)}, options),
                 scale = torch::empty_like(mean), y = torch::empty(rows.sizes(), options);
    LayerNormView view = view_of(rows, weight, mean, scale);
    view.bias = bias.const_data_ptr<float>();
    Tensor rounded;
    uint16_t* to = nullptr;
    if (rounds) {
      rounded = torch::empty(rows.sizes(), options.dtype(torch::kBFloat16));
      to = halves_of(rounded);
    }
    kernels().normalize(view, y.mutable_data_ptr<float>(), to);
    if (rounded.defined()) context->saved_data["rounded"] = rounded;
    context->save_for_backward({rows, weight, mean, scale});
    context->set_materialize_grads(false);
    return {y, x};
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    context->saved_data.erase("rounded");  // its readers are done
    if (!gradients[0].defined()) return {gradients[1], Tensor(), Tensor(), Tensor()};
    const auto saved = context->get_saved_variables();
    const Tensor &x = saved[0], &weight = saved[1];
    const Tensor by_y = gradients[0].contiguous();
    const Tensor more = gradients[1].defined() ? gradients[1].contiguous() : Tensor();
    const Tensor by_x = torch::empty_like(x), by_weight = torch::zeros_like(weight),
                 by_bias = torch::zeros_like(weight);
    kernels().normalize_backward(view_of(x, weight, saved[2], saved[3]),
                                 {.y = by_y.const_data_ptr<float>(),
                                  .more = more.defined() ? more.const_data_ptr<float>() : nullptr,
                                  .x = by_x.mutable_data_ptr<float>(),
                                  .gain = by_weight.mutable_data_ptr<float>(),
                                  .bias = by_bias.mutable_data_ptr<float>()});
    return {by_x, by_weight, by_bias, Tensor()};
  }
};

}  // namespace

Tensor rounded_input(const Tensor& x) {
  const AutogradContext* saved = saved_by<Normalize>(x);
  if (saved == nullptr) return to_bf16(x);
  const auto rounded = saved->saved_data.find("rounded");
  if (rounded == saved->saved_data.end()) return to_bf16(x);
  return rounded->second.toTensor();
}

LayerNorm::LayerNorm(int64_t width)
    : weight_(add_parameter("weight", {width}, Init::all(1))),
      bias_(add_parameter("bias", {width}, Init::all(0))) {}

Norm::Branches LayerNorm::branches(const Tensor& x) {
  if (!takes_kernels(x) || x.numel() == 0)
    return {torch::layer_norm(x, {x.size(-1)}, weight_, bias_), x};
  const bool has_graph =
      torch::GradMode::is_enabled() && (x.requires_grad() || weight_.requires_grad());
  const tensor_list both = Normalize::apply(x, weight_, bias_, has_graph && in_bf16(x));
  return {both[0], both[1]};
}

}  // namespace heed
