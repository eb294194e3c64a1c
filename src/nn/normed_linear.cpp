#include "nn/normed_linear.h"

#include "nn/torch.h"

namespace heed {

NormedLinear::NormedLinear(int64_t from, int64_t to, std::optional<double> norm, bool bias) {
  (norm ? v_ : weight_) = register_parameter(norm ? "v" : "weight", torch::empty({to, from}));
  if (norm) gain_ = register_parameter("gain", torch::full({to}, *norm));
  if (bias) bias_ = register_parameter("bias", torch::zeros({to}));
}

Tensor NormedLinear::forward(const Tensor& x) const {
  return torch::linear(x, v_.defined() ? weight_normed(v_, gain_) : weight_, bias_);
}

Tensor weight_normed(const Tensor& v, const Tensor& gain) {
  const Tensor length = v.flatten(1).norm(2, 1).clamp_min(1e-12);  // [O]
  std::vector<int64_t> rows(static_cast<size_t>(v.dim()), 1);
  rows[0] = -1;
  return v * (gain / length).view(rows);
}

Tensor with_scaled_gradient(const Tensor& x, double scale) {
  return x + (scale - 1) * (x - x.detach());  // whose difference is 0
}

}  // namespace heed
