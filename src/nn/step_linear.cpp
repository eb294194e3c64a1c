#include "nn/step_linear.h"

#include "nn/torch.h"

#include "nn/int8_training.h"
#include "nn/linear.h"
#include "nn/parameter_gradient.h"
#include "nn/product.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using MaybeTensor = std::optional<Tensor>;
using RecordHolder = c10::intrusive_ptr<torch::CustomClassHolder>;

struct Record final : torch::CustomClassHolder {
  std::vector<Tensor> inputs, gradients;  // of each step whose backward pass is done, as operands
  Tensor weight;                          // [O,I], as an operand
  PackedFactor across, along;             // Wᵀ, of x, and W, of the gradient
  RoundedGradientPointer shared;          // of the current step, with another StepLinear
  bool learns = true;                     // weight or bias needs a gradient
};

Record& record_of(const AutogradContext& context) {
  return static_cast<Record&>(*context.saved_data.at("record").toCapsule());
}

// Concatenates the rows of all steps. steps: [..,W] each
Tensor rows_of(const std::vector<Tensor>& steps) {
  std::vector<Tensor> rows;
  for (const Tensor& step : steps) rows.push_back(step.flatten(0, -2));
  return torch::cat(rows);
}

// Connects weight and bias to the graph. Every step depends on the anchor, so its backward runs
// after all steps have stored their record.
class Anchor : public torch::autograd::Function<Anchor> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& weight, const MaybeTensor& bias,
                        const RecordHolder& record) {
    context->saved_data["record"] = c10::IValue::make_capsule(record);
    context->saved_data["has_bias"] = bias.has_value();
    context->save_for_backward({weight});
    return torch::zeros({}, weight.options().requires_grad(false));
  }

  static tensor_list backward(AutogradContext* context, tensor_list) {
    Record& record = record_of(*context);
    const auto inputs = std::exchange(record.inputs, {});
    const auto gradients = std::exchange(record.gradients, {});
    if (inputs.empty()) return {Tensor(), Tensor(), Tensor()};
    const Tensor gradient = rows_of(gradients);  // [n,O]
    const bool has_bias = context->saved_data.at("has_bias").toBool();
    const Tensor weight = context->get_saved_variables()[0];
    return {context->needs_input_grad(0) ? product_for(weight, gradient.t(), rows_of(inputs))
                                         : Tensor(),  // [O,I]
            has_bias ? sum_of_rows(gradient) : Tensor(), Tensor()};
  }
};

// The gradient in the number format of the weight; rounded once for all that share it.
Tensor gradient_operand(const Tensor& gradient, const Record& record) {
  if (!record.shared || record.weight.scalar_type() != torch::kBFloat16)
    return operand(gradient, record.weight);
  const Tensor known = record.shared->take(gradient).rounded;
  if (known.defined()) return known;
  const Tensor rounded = to_bf16(gradient);
  record.shared->put(gradient, {rounded, Tensor()});
  return rounded;
}

class Product : public torch::autograd::Function<Product> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& anchor,
                        const MaybeTensor& bias, const RecordHolder& record) {
    context->saved_data["record"] = c10::IValue::make_capsule(record);
    const Record& weights = record_of(*context);
    const Tensor own = operand(x, weights.weight);
    context->save_for_backward({own, anchor});
    return product(own.flatten(0, -2), weights.across, bias.value_or(Tensor()))
        .unflatten(0, x.sizes().slice(0, static_cast<size_t>(x.dim() - 1)));
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &x = saved[0], &anchor = saved[1];
    Record& record = record_of(*context);
    const Tensor gradient = gradient_operand(gradients[0], record);  // [..,O]
    if (record.learns) {
      record.inputs.push_back(x);
      record.gradients.push_back(gradient);
    }
    Tensor by_x;
    if (context->needs_input_grad(0))
      by_x = product(gradient.flatten(0, -2), record.along).view(x.sizes());
    return {by_x, torch::zeros_like(anchor), Tensor(), Tensor()};
  }
};

MaybeTensor maybe(const Tensor& x) { return x.defined() ? MaybeTensor(x) : std::nullopt; }

}  // namespace

StepLinear::StepLinear(const Tensor& weight, const Tensor& bias, RoundedGradientPointer shared)
    : weight_(weight), bias_(bias) {
  if (!torch::GradMode::is_enabled()) return;
  auto record = c10::make_intrusive<Record>();
  const Tensor read = int8_factor(weight);
  record->weight = factor(read.detach());
  record->across = PackedFactor(record->weight.t());
  record->along = PackedFactor(record->weight);
  record->shared = std::move(shared);
  record->learns = weight.requires_grad() || (bias.defined() && bias.requires_grad());
  record_ = record;
  anchor_ = Anchor::apply(read, maybe(bias), record_);
  bias_ = bias.defined() ? bias.detach() : bias;
}

Tensor StepLinear::operator()(const Tensor& x) const {
  if (!anchor_.defined()) return linear(x, weight_, bias_);
  return Product::apply(int8_factor(x), anchor_, maybe(bias_), record_);
}

}  // namespace heed
