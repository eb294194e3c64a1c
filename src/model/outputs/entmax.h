// A sparse distribution over the vocabulary, most of whose tokens have probability 0 (Peters et al.
// 2019): sparsemax or entmax15 (nn/simplex_projection.h) of the scores z, with their loss
//   L(z, q) = p·z - q·z + H_α(p) - H_α(q),  p: the projection of z   (equation 11)
// whose gradient by z is p - q. q is the target, or with label smoothing (Peters and Martins 2021)
// (1-ε) of it and ε of the uniform distribution.
#pragma once

#include "model/output.h"
#include "nn/simplex_projection.h"

namespace heed {

struct EntmaxOutputConfig final : OutputConfig {
  bool bias = true;
  SimplexProjection alpha = SimplexProjection::kEntmax15;
  void fields(Fields& f) const override;
  std::shared_ptr<Output> build(const OutputDims& dims,
                                std::shared_ptr<Embedding> embedding) const override;
};

}  // namespace heed
