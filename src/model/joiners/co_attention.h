// Two sentences that read each other before the decoder reads them.
//   attend     β_i = Σ_j softmax_j(e_ij) b_j,  α_j = Σ_i softmax_i(e_ij) a_i,  e_ij = F(a_i)ᵀ F(b_j)
//              (Parikh et al. 2016, equations 1 and 2); any other `attention:` may take the place of
//              the product
//   compare    v_i = G([a_i; β_i]),  u_j = G([b_j; α_j])                                (equation 3)
//   aggregate  [Σ_i v_i; Σ_j u_j] is the last state                                     (equation 4);
//              aggregate: mean keeps it the same size however long the sentences are
// F and G are two layers each, with rectifiers. What is read afterwards are v and u.
//   grain: fine     every position of one reads the other, as above
//   grain: coarse   the mean of one reads the other, so each becomes one position
//   order: parallel   both read what the encoders gave
//   order: in_turn    the second reads the first, then the first what became of the second
// The co-attention of Lu et al. 2016 is that of summary_co_attention.h.
#pragma once

#include "model/joiner.h"
#include "nn/attention/staged.h"

namespace heed {

struct CoAttentionConfig final : JoinerConfig {
  enum class Grain { kFine, kCoarse };
  enum class Order { kParallel, kInTurn };
  enum class Aggregate { kSum, kMean };
  Grain grain = Grain::kFine;
  Order order = Order::kParallel;
  Aggregate aggregate = Aggregate::kSum;
  int64_t hidden = 200, layers = 2;
  double dropout = 0;
  std::shared_ptr<AttentionConfig> attention = StagedConfig::with("dot", 1);
  void fields(Fields& f) const override;
  void check(const AllSourceDims& sources, Problems& problems) const override;
  AllSourceDims dims(const AllSourceDims& sources) const override;
  std::shared_ptr<Joiner> build(const AllSourceDims& sources) const override;

  // Of what a sentence of states of this width is read by.
  AttentionDims attention_dims(int64_t width) const;
};

}  // namespace heed
