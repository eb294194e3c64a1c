// A pointer network (Vinyals et al. 2015, equation 3): a distribution over the positions of the
// source, and over nothing else.
//   u_j = vᵀ tanh(W_1 e_j + W_2 d_t), p = softmax(u)
// The probability of a token is the sum over its positions; kEnd is that of the source. If the
// source is empty, as one of several may be, kEnd has probability 1.
#pragma once

#include "model/output.h"

namespace heed {

struct PointerConfig final : OutputConfig {
  int64_t hidden = 512;
  void fields(Fields& f) const override;
  bool copies() const override { return true; }
  Writes writes() const override { return Writes::kCopies; }
  void check(const OutputDims& dims, Problems& problems) const override;
  std::shared_ptr<Output> build(const OutputDims& dims,
                                std::shared_ptr<Embedding> embedding) const override;
};

}  // namespace heed
