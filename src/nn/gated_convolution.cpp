#include "nn/gated_convolution.h"

#include <cmath>
#include <numbers>

#include "nn/normed_linear.h"
#include "nn/torch.h"

namespace heed {

GatedConvolution::GatedConvolution(int64_t width, int64_t kernel, double dropout) {
  v_ = register_parameter("v", torch::empty({2 * width, width, kernel}));
  // So that what a GLU halves, and dropout scales, keeps its variance (section 3.5 there).
  gain_ = register_parameter("gain", torch::full({2 * width}, 2 * std::sqrt(1 - dropout)));
  bias_ = register_parameter("bias", torch::zeros({2 * width}));
}

Tensor GatedConvolution::forward(const Tensor& x) const {
  const Tensor weight = weight_normed(v_, gain_);
  return torch::glu(torch::conv1d(x.transpose(1, 2), weight, bias_), 1).transpose(1, 2);
}

Tensor residual_sum(const Tensor& a, const Tensor& b) { return (a + b) * std::numbers::sqrt2 / 2; }

}  // namespace heed
