#include "nn/gated_convolution.h"

#include <cmath>
#include <numbers>

#include "nn/torch.h"

#include "nn/linear.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// Positions t to t+K-1 of x [R,K-1+T,W] beside one another, [R,T,K W]. Own code because the gradient of
// a slice is a tensor of the size of x.
class Windows : public torch::autograd::Function<Windows> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& x, int64_t kernel) {
    context->saved_data["kernel"] = kernel;
    std::vector<Tensor> shifted;
    for (int64_t k = 0; k < kernel; ++k) shifted.push_back(x.narrow(1, k, x.size(1) - kernel + 1));
    return torch::cat(shifted, 2);
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const int64_t kernel = context->saved_data.at("kernel").toInt(), length = gradients[0].size(1);
    const auto shifted = gradients[0].chunk(kernel, 2);
    Tensor sum = torch::constant_pad_nd(shifted[0], {0, 0, 0, kernel - 1});
    for (int64_t k = 1; k < kernel; ++k)
      sum.narrow(1, k, length) += shifted[static_cast<size_t>(k)];
    return {sum, Tensor()};
  }
};

}  // namespace

// The rows begin so long that what a GLU halves, and dropout scales, keeps its variance (section 3.5
// there).
GatedConvolution::GatedConvolution(int64_t width, int64_t kernel, double dropout)
    : weight_(*this, {2 * width, width, kernel}, 2 * std::sqrt(1 - dropout)) {
  bias_ = add_parameter("bias", {2 * width}, Init::all(0));
}

// A product of the windows, because linear() has bfloat16 and the rounding of 8-bit training, and the
// convolution of libtorch has neither.
Tensor GatedConvolution::forward(const Tensor& x) const {
  const Tensor w = weight_.get();  // [2W,K W]
  return torch::glu(linear(Windows::apply(x, w.size(1) / x.size(2)), w, bias_), 2);
}

Tensor residual_sum(const Tensor& a, const Tensor& b) { return (a + b) * std::numbers::sqrt2 / 2; }

}  // namespace heed
