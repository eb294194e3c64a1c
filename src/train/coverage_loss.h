// Coverage loss (See et al. 2017, equation 12), a penalty on repeated attention to the same
// positions:
//   covloss_t = Σ_i min(a_i^t, c_i^t),  c^t = Σ_{t'<t} a^{t'}
// of the decoder's last attention over the source, averaged over its heads. It works with every
// mechanism that has weights, in every decoder, but not with weights that are scores
// (`linear_start`). See et al. add it in a short last phase of the training (phase_config.h).
#pragma once

#include "nn/attention/attention.h"

namespace heed {

// Computes the loss of all queries of a target, starting with the first one.  weights [R,H,T,S] ->
// [R,T]
SideLoss coverage_loss(const Tensor& weights, double weight);

}  // namespace heed
