#include "model/output.h"

#include <limits>

#include "nn/torch.h"

#include "text/vocabulary.h"

namespace heed {

Tensor Output::target_log_probs(const Step& step, const Tensor& targets, const StateView& state) {
  const Tensor log_probs = this->log_probs(step, state);  // [R,T,V+X]
  return log_probs.gather(2, targets.unsqueeze(2)).squeeze(2).masked_fill(targets == kPad, 0);
}

TokenLoss Output::loss(const Step& step, const Tensor& targets, double label_smoothing,
                       const StateView& state) {
  const Tensor log_probs = this->log_probs(step, state);                 // [R,T,V+X]
  const Tensor flat = targets.flatten();                                 // [R·T]
  const Tensor counted = flat.ne(kPad).nonzero().squeeze(1);             // [N]
  const Tensor rows = log_probs.flatten(0, 1).index_select(0, counted);  // [N,V+X]
  const Tensor right = flat.index_select(0, counted);                    // [N]
  const Tensor cost = -rows.gather(1, right.unsqueeze(1)).sum();         // []
  Tensor loss = cost;
  if (label_smoothing > 0) {
    const Tensor none = rows == -std::numeric_limits<double>::infinity();
    const Tensor each = -rows.masked_fill(none, 0).sum(1) / (~none).sum(1);  // [N]
    loss = (1 - label_smoothing) * cost + label_smoothing * each.sum();
  }
  return {loss, cost.detach().to(torch::kDouble), counted.size(0), rows.argmax(1).eq(right).sum()};
}

}  // namespace heed
