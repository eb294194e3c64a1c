// The block of a convolutional sequence model (Gehring et al. 2017, sections 3.2, 3.4 and 3.5):
// (GLU(conv(x)) + x) √½, of which the caller adds the residual; the kernel has weight norm
// (Salimans and Kingma 2016), w = g v / |v| for each output.
#pragma once

#include "nn/normed_weight.h"

namespace heed {

class GatedConvolution final : public Module {
 public:
  GatedConvolution(int64_t width, int64_t kernel, double dropout);
  // x [R,K-1+T,W], with padding before the first and after the last position -> [R,T,W]
  Tensor forward(const Tensor& x) const;
  void freeze() override { weight_.freeze(); }

 private:
  NormedWeight weight_;  // [2W,W,K]
  Tensor bias_;          // [2W]
};

// (a + b) √½: the sum of two inputs of equal variance has that variance.
Tensor residual_sum(const Tensor& a, const Tensor& b);

}  // namespace heed
