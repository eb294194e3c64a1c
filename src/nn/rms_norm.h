// RMSNorm (Zhang and Sennrich 2019, equation 4) over the last dimension:
//   g ⊙ x / √(Σ_i x_i² / W + ε)
// without a mean and a bias. The paper has no ε; 10^-6 is that of T5 and LLaMA.
#pragma once

#include "nn/norm.h"
#include "nn/tensor.h"

namespace heed {

class RmsNorm final : public Norm {
 public:
  explicit RmsNorm(int64_t width, double epsilon = 1e-6);
  Branches branches(const Tensor& x) override;

 private:
  double epsilon_;
  Tensor weight_;  // g [W]
};

}  // namespace heed
