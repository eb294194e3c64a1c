#include "nn/gated_convolution.h"

#include <cmath>
#include <numbers>

#include "nn/torch.h"

namespace heed {

// The rows begin so long that what a GLU halves, and dropout scales, keeps its variance (section 3.5
// there).
GatedConvolution::GatedConvolution(int64_t width, int64_t kernel, double dropout)
    : weight_(*this, {2 * width, width, kernel}, 2 * std::sqrt(1 - dropout)) {
  bias_ = add_parameter("bias", {2 * width}, Init::all(0));
}

Tensor GatedConvolution::forward(const Tensor& x) const {
  return torch::glu(torch::conv1d(x.transpose(1, 2), weight_.get(), bias_), 1).transpose(1, 2);
}

Tensor residual_sum(const Tensor& a, const Tensor& b) { return (a + b) * std::numbers::sqrt2 / 2; }

}  // namespace heed
