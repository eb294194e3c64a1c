// Self-attentive pooling of the states H of a sentence to few rows, which the decoder attends to:
//   rows           A = softmax(W2 tanh(W1 Hᵀ)), M = A H, r rows, with the penalty ‖AAᵀ - I‖²_F that
//                  makes them attend to different positions (Lin et al. 2017, equations 6 to 8)
//   source2token   one row; for each feature a softmax of Wᵀ ELU(W1 h + b1) + b over the positions
//                  (Shen et al. 2018, DiSAN, section 3.2.1)
//   max            one row: the greatest value of each feature
// The initial decoder state is from the concatenated rows (`start: rows`; as in Lin's classifier),
// or from the final state of the encoder. A sentence without readable positions has rows of 0.
#pragma once

#include "model/joiner.h"

namespace heed {

struct Pooled {
  Tensor keys, values;  // [R,r,W]
  Tensor weights;       // [R,r,S] of the positions in each row
  Tensor penalty;       // [R], undefined if there is none
};

class Pooling : public Module {
 public:
  virtual Pooled pool(const Source& source) = 0;
};

// `pool:`, rows of the states of a sentence.
struct PoolConfig : KindSettings {
  virtual int64_t count() const { return 1; }
  virtual double penalty_weight() const { return 0; }
  virtual std::shared_ptr<Pooling> build(int64_t width) const = 0;
};

struct SelfAttentiveConfig final : JoinerConfig {
  enum class Start { kRows, kEncoder };
  std::shared_ptr<PoolConfig> pool;
  Start start = Start::kRows;
  SelfAttentiveConfig();
  void fields(Fields& f) const override;
  AllSourceDims dims(const AllSourceDims& sources) const override;
  std::shared_ptr<Joiner> build(const AllSourceDims& sources) const override;
};

}  // namespace heed
