// CopyNet (Gu et al. 2016). Generating and copying share one softmax (equations 4 to 8):
//   ψ_g(v) = v_vᵀ W_o s_t        for each piece v of the vocabulary
//   ψ_c(x_j) = tanh(h_jᵀ W_c) s_t  for each position j of the source
//   p(y) = (e^ψ_g(y) + Σ_{j: x_j = y} e^ψ_c(x_j)) / Z
// and the next input is the token with its selective read of the source (equation 9):
//   ζ(y) = Σ_{j: x_j = y} ρ_j h_j
// with ρ_j = p(x_j, copied) of the previous step, normalized over these j; zeros if y is not in the
// source. s_t is the decoder state.
#pragma once

#include "model/output.h"

namespace heed {

struct CopyNetConfig final : OutputConfig {
  bool bias = true;
  void fields(Fields& f) const override;
  bool copies() const override { return true; }
  bool stepwise() const override { return true; }
  int64_t input_width(int64_t embedding, const SourceSpec& source) const override {
    return embedding + source.key;
  }
  void check(const OutputDims& dims, Problems& problems) const override;
  std::shared_ptr<Output> build(const OutputDims& dims,
                                std::shared_ptr<Embedding> embedding) const override;
};

}  // namespace heed
