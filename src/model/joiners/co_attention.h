// Co-attention: two sources attend to each other before the decoder attends to them.
//   attend     β_i = Σ_j softmax_j(e_ij) b_j,  α_j = Σ_i softmax_i(e_ij) a_i,  e_ij = F(a_i)ᵀ F(b_j)
//              (Parikh et al. 2016, equations 1 and 2); any other `attention:` may replace the
//              product
//   compare    v_i = G([a_i; β_i]),  u_j = G([b_j; α_j])                                (equation 3)
//   aggregate  [Σ_i v_i; Σ_j u_j] is the last state                                     (equation 4);
//              aggregate: mean keeps it the same size however long the sentences are
// F and G are two layers each, with rectifiers. The decoder attends to v and u.
//   grain: fine     every position of one attends to the other, as above
//   grain: coarse   the mean of one attends to the other, so each becomes one position
//   order: parallel   both attend to the encoder outputs
//   order: in_turn    the second attends to the first, then the first to the result
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

  // Dimensions of the attention between states of this width.
  AttentionDims attention_dims(int64_t width) const;
};

}  // namespace heed
