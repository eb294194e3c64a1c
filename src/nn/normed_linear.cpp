#include "nn/normed_linear.h"

#include "nn/torch.h"

namespace heed {

NormedWeight::NormedWeight(torch::nn::Module& owner, c10::IntArrayRef shape,
                           std::optional<double> norm)
    : v_(owner.register_parameter(norm ? "v" : "weight", torch::empty(shape))) {
  if (norm) gain_ = owner.register_parameter("gain", torch::full({shape[0]}, *norm));
}

Tensor NormedWeight::get() const {
  if (!gain_.defined()) return v_;
  const Tensor length = v_.flatten(1).norm(2, 1).clamp_min(1e-12);  // [O]
  std::vector<int64_t> rows(static_cast<size_t>(v_.dim()), 1);
  rows[0] = -1;
  return v_ * (gain_ / length).view(rows);
}

NormedLinear::NormedLinear(int64_t from, int64_t to, std::optional<double> norm, bool bias)
    : weight_(*this, {to, from}, norm) {
  if (bias) bias_ = register_parameter("bias", torch::zeros({to}));
}

Tensor NormedLinear::forward(const Tensor& x) const {
  return torch::linear(x, weight_.get(), bias_);
}

Tensor with_scaled_gradient(const Tensor& x, double scale) {
  return x + (scale - 1) * (x - x.detach());  // whose difference is 0
}

}  // namespace heed
