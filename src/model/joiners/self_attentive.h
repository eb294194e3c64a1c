// Self-attentive pooling of the states H of a sentence to few rows, which the decoder reads instead:
//   rows           A = softmax(W2 tanh(W1 Hᵀ)), M = A H, r rows, with the penalty ‖AAᵀ - I‖²_F that
//                  makes them look at different places (Lin et al. 2017, equations 6 to 8)
//   source2token   one row; for each feature a softmax of Wᵀ ELU(W1 h + b1) + b over the places
//                  (Shen et al. 2018, DiSAN, section 3.2.1)
//   max            one row: the greatest value of each feature
// A sentence with nothing to read gives rows of 0.
#pragma once

#include "model/joiner.h"

namespace heed {

struct SelfAttentiveConfig final : JoinerConfig {
  enum class Pool { kRows, kSource2Token, kMax };
  Pool pool = Pool::kRows;
  int64_t rows = 4;
  int64_t hidden = 128;
  double penalty = 1;
  void fields(Fields& f) override;
  AllSourceDims dims(const AllSourceDims& sources) const override;
  std::shared_ptr<Joiner> build(const AllSourceDims& sources) const override;
};

}  // namespace heed
