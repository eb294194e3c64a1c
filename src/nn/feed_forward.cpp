#include "nn/feed_forward.h"

#include "nn/torch.h"

#include "kernels/kernels.h"
#include "nn/kernel_path.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/operation.h"
#include "nn/parameter_gradient.h"
#include "nn/product.h"
#include "nn/rounded_gradient.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

float* floats_of(const Tensor& x) { return x.data_ptr<float>(); }

// W2 dropout(relu(W1 x + b1)) + b2 with products in bfloat16. Of the hidden layer only the rounded
// numbers are stored; the products are taken block by block, so that what comes between them finds
// them in the cache.
class Bf16FeedForward : public torch::autograd::Function<Bf16FeedForward> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& inner,
                        const Tensor& inner_bias, const Tensor& outer, const Tensor& outer_bias,
                        const DropoutKeys& dropout) {
    const Tensor rows = rounded_input(x).view({-1, x.size(-1)}), w1 = to_bf16(inner),
                 w2 = to_bf16(outer);
    const int64_t count = rows.size(0), width = inner.size(0);
    const Tensor hidden = torch::empty({count, width}, rows.options());
    const PackedFactor across = PackedFactor::for_rows(count, w1.t());
    for_blocks(count, width, inner_bias, [&](Tensor& sums, int64_t begin) {
      set_product(sums, rows.narrow(0, begin, sums.size(0)), across);
      DropoutRows factors = dropout.rows();
      if (factors.keys != nullptr) factors.keys += begin;
      kernels().relu_dropped(floats_of(sums), floats_of(inner_bias), sums.size(0), width, factors,
                             halves_of(hidden) + begin * width);
    });
    context->save_for_backward({rows, hidden, w1, w2, inner, outer});
    context->saved_data["kept"] = static_cast<double>(dropout.rows().kept);
    context->saved_data["shape"] = x.sizes().vec();
    store_rounded_gradient(*context);
    return product(hidden, PackedFactor::for_rows(count, w2.t()), outer_bias).view_as(x);
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &rows = saved[0], &hidden = saved[1], &w1 = saved[2], &w2 = saved[3];
    const auto kept = static_cast<float>(context->saved_data.at("kept").toDouble());
    const int64_t width = hidden.size(1);
    const auto [by_y, by_outer_bias] = rounded_rows(*context, gradients[0], true);
    const Tensor by_hidden = torch::empty_like(hidden),
                 by_inner_bias = torch::zeros({width}, by_outer_bias.options());
    const PackedFactor along = PackedFactor::for_rows(hidden.size(0), w2);
    for_blocks(hidden.size(0), width, by_inner_bias, [&, y = by_y](Tensor& sums, int64_t begin) {
      set_product(sums, y.narrow(0, begin, sums.size(0)), along);
      kernels().relu_dropped_backward(
          floats_of(sums), halves_of(hidden) + begin * width, sums.size(0), width, kept,
          halves_of(by_hidden) + begin * width, floats_of(by_inner_bias));
    });
    Tensor by_x, by_w1, by_w2;
    if (context->needs_input_grad(0))
      by_x = product(by_hidden, PackedFactor::for_rows(by_hidden.size(0), w1))
                 .view(context->saved_data.at("shape").toIntVector());
    if (context->needs_input_grad(1)) by_w1 = product_for(saved[4], by_hidden.t(), rows);
    if (context->needs_input_grad(3)) by_w2 = product_for(saved[5], by_y.t(), hidden);
    return {by_x, by_w1, by_inner_bias, by_w2, by_outer_bias, Tensor()};
  }

 private:
  // Calls each(sums [block,width], its first row); like: of the type and device of the sums.
  template <class Each>
  static void for_blocks(int64_t rows, int64_t width, const Tensor& like, const Each& each) {
    const std::vector<RowBlock> blocks = row_blocks(rows, width);
    if (blocks.empty()) return;
    const Tensor buffer =
        torch::empty({blocks.front().count, width}, like.options().requires_grad(false));
    for (const auto& [begin, count] : blocks) {
      Tensor sums = buffer.narrow(0, 0, count);
      each(sums, begin);
    }
  }
};

}  // namespace

RoundedGradientPointer rounded_gradient_of_feed_forward(const Tensor& y) {
  const AutogradContext* saved = saved_by<Bf16FeedForward>(y);
  return saved == nullptr ? nullptr : stored_rounded_gradient(*saved);
}

FeedForward::FeedForward(int64_t width, int64_t hidden, Activation activation,
                         double dropout_probability)
    : activation_(activation),
      dropout_(dropout_probability),
      inner_(*this, "inner", width, hidden) {
  if (is_gated(activation)) gate_ = Linear(*this, "gate", width, hidden);
  outer_ = Linear(*this, "outer", hidden, width);
}

Tensor FeedForward::relu_in_blocks(const Tensor& x, const Pass& pass) {
  std::vector<int64_t> hidden = x.sizes().vec();
  hidden.back() = inner_.weight().size(0);
  return Bf16FeedForward::apply(x, inner_.weight(), inner_.bias(), outer_.weight(), outer_.bias(),
                                dropout_keys(hidden, dropout_, pass));
}

Tensor FeedForward::forward(const Tensor& x, const Pass& pass) {
  if (activation_ == Activation::kRelu && in_bf16(x) && takes_kernels(x))
    return relu_in_blocks(x, pass);
  Tensor hidden = inner_(x);
  switch (activation_) {
    case Activation::kRelu:
      hidden = hidden.relu();
      break;
    case Activation::kGelu:
      hidden = torch::gelu(hidden);
      break;
    case Activation::kSilu:
      hidden = torch::silu(hidden);
      break;
    case Activation::kGated:
      hidden = torch::silu(hidden) * gate_(x);
      break;
    case Activation::kGatedGelu:
      hidden = torch::gelu(hidden) * gate_(x);
      break;
    case Activation::kGatedGeluTanh:
      hidden = torch::gelu(hidden, "tanh") * gate_(x);
      break;
  }
  return outer_(dropout(hidden, dropout_, pass));
}

}  // namespace heed
