// Disagreement regularization of heads (Li et al. 2018, "Multi-Head Attention with Disagreement
// Regularization", equations 6 to 8, with the sign of a loss): the mean over all pairs of heads of
//   subspace   cos(v_i, v_j) of their values, the mean over the keys that may be read
//   position   Σ_s |a_i,s a_j,s| of their weights
//   output     cos(o_i, o_j) of their contexts
#pragma once

#include "nn/attention/attention.h"
#include "nn/attention/disagreement_config.h"

namespace heed {

// Values, weights and context vectors of the heads of one attention.
struct Heads {
  Tensor values;    // [R,H,S,V]
  Tensor mask;      // [R,1|H,1|T,S]
  Tensor weights;   // [R,H,T,S]
  Tensor contexts;  // [R,H,T,V]
};
SideLoss similarity_loss(const DisagreementConfig& config, const Heads& heads);

}  // namespace heed
