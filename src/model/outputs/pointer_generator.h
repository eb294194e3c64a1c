// The pointer-generator: a mixture of the vocabulary distribution and of copying by attention
// weights (See et al. 2017, equations 8 and 9):
//   p_gen = σ(w_h h*_t + w_s s_t + w_x x_t + b)
//   P(w) = p_gen P_vocab(w) + (1 - p_gen) Σ_{i: w_i = w} a_i^t
// with the context vector h*_t and the weights a^t of the decoder's last attention over the source,
// the decoder state s_t and the embedded token x_t. kEnd of the source, which the paper does not
// have, is not copied: its weight is left out. Weights that do not sum to 1, or that are negative
// (linformer's), are normalized first; without readable positions p_gen is 1. Computed in log
// space.
#pragma once

#include "model/output.h"

namespace heed {

struct PointerGeneratorConfig final : OutputConfig {
  bool bias = true;
  std::optional<int64_t> head;
  bool copy_end = false;
  void fields(Fields& f) const override;
  bool copies() const override { return true; }
  bool reads_weights() const override { return true; }
  void check(const OutputDims& dims, Problems& problems) const override;
  std::shared_ptr<Output> build(const OutputDims& dims,
                                std::shared_ptr<Embedding> embedding) const override;
};

}  // namespace heed
