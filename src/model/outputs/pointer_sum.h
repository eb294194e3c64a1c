// Attention sum: the answer is a word of the source, its probability the sum of the attention
// weights of its positions (Kadlec et al. 2016, section 3.2; Cui et al. 2017, equation 8):
//   P(w) = Σ_{i: w_i = w} a_i
// with the weights a of the decoder's last attention over the source, normalized without kEnd. The
// target is one token, then kEnd; without readable positions it is kEnd alone.
#pragma once

#include "model/output.h"

namespace heed {

struct PointerSumConfig final : OutputConfig {
  void fields(Fields&) const override {}
  bool copies() const override { return true; }
  Writes writes() const override { return Writes::kOneCopy; }
  bool reads_weights() const override { return true; }
  void check(const OutputDims& dims, Problems& problems) const override;
  std::shared_ptr<Output> build(const OutputDims& dims,
                                std::shared_ptr<Embedding> embedding) const override;
};

}  // namespace heed
