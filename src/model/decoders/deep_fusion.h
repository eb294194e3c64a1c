// Deep fusion of a recurrent decoder with its source (Cheng, Dong and Lapata 2016, equations 11 to
// 16). The attention over the hidden states γ of the encoder has the query [x_t; γ~_{t-1}]. Its
// weights p also read the memories α of the encoder, which a gate adds to the memory of the
// decoder's LSTM:
//   [γ~_t; α~_t] = Σ_j p_j^t [γ_j; α_j],  r_t = σ(W_r [γ~_t; x_t] + b)
//   c_t = r_t ∘ α~_t + f_t ∘ c_{t-1} + i_t ∘ ĉ_t
// With an intra-attention c~_t takes the place of c_{t-1} (model/cell_attention.h). The paper has
// no b.
#pragma once

#include "nn/linear.h"
#include "nn/module.h"
#include "nn/state.h"

namespace heed {

class DeepFusion final : public Module {
 public:
  // Widths of x, γ and α.
  DeepFusion(int64_t input, int64_t hidden, int64_t memory);
  // x [R,I] -> query [R,I+W]
  Tensor query(const Tensor& x, const StateView& state) const;
  // context [R,W+M] of this query -> r ∘ α~ [R,M]
  Tensor memory(const Tensor& x, const Tensor& context, const StateView& state) const;

 private:
  int64_t hidden_, memory_;
  Linear gate_;
  CarrySlot read_ = layout_.carry("read");  // γ~ of the step before [R,W]
};

}  // namespace heed
