// 8-bit training (quantization-aware training, Jacob et al. 2018): products read their inputs and
// weights as the kernels of translation do in int8 (Kernels::quantize). Each row x of I values is
// rounded to q_i s, where q_i is the integer nearest to x_i/s, and s = max|x|/127.
//
// The gradient passes straight through the rounding (Bengio et al. 2013). The step s is learned as in
// LSQ (Esser et al. 2020, equation 3), where it is free; here it follows from the largest |x_m|:
//   ∂L/∂x_i = g_i + [i = m] sign(x_m)/127 Σ_j g_j (q_j - x_j/s)
// So a weight of large magnitude shrinks if the others gain from a finer step. Attention, norms and the
// look-up of embeddings are not rounded.
#pragma once

#include "nn/tensor.h"

namespace heed {

// While the scope lives, products of float32 of this thread are rounded to 8 bits, and none uses
// bfloat16 (nn/product.h), which would round the values a second time.
class Int8Scope {
 public:
  explicit Int8Scope(bool on);
  ~Int8Scope();
  Int8Scope(const Int8Scope&) = delete;
  Int8Scope& operator=(const Int8Scope&) = delete;

 private:
  bool outer_;
};

// True if products of x are rounded to 8 bits.
bool in_int8(const Tensor& x);
// The rows of x [..,I], rounded.
Tensor rounded_to_int8(const Tensor& x);
// x as a factor of a product: rounded if in_int8(x), else x itself.
Tensor int8_factor(const Tensor& x);

}  // namespace heed
