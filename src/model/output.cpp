#include "model/output.h"

#include <cmath>

#include "nn/torch.h"

#include "text/vocabulary.h"

namespace heed {

Tensor bounded(const Tensor& log_probs) {
  return log_probs.masked_fill(log_probs == kNever, std::log(kLeastProbability));
}

CountedTargets::CountedTargets(const Tensor& targets) {
  const Tensor flat = targets.flatten();  // [R·T]
  positions = flat.ne(kPad).nonzero().squeeze(1);
  ids = flat.index_select(0, positions);
}

Tensor CountedTargets::rows_of(const Tensor& x) const {
  return x.flatten(0, 1).index_select(0, positions);
}

Tensor is_first_token(const Step& step, const StateView& state) {
  const int64_t steps = step.hidden.size(1);
  const Tensor& next = state.positions();  // [R]
  return (next.unsqueeze(1) - steps + torch::arange(steps, next.options()) == 0).unsqueeze(2);
}

Tensor Output::target_log_probs(const Step& step, const Tensor& targets, const StateView& state) {
  const Tensor log_probs = this->log_probs(step, state);                               // [R,T,V+X]
  const Tensor found = bounded(log_probs.gather(2, targets.unsqueeze(2)).squeeze(2));  // [R,T]
  return found.masked_fill(targets == kPad, 0);
}

TokenLoss Output::loss(const Step& step, const Tensor& targets, double label_smoothing,
                       const StateView& state) {
  const CountedTargets counted(targets);
  const Tensor rows = counted.rows_of(log_probs(step, state));                   // [N,V+X]
  const Tensor cost = -bounded(rows.gather(1, counted.ids.unsqueeze(1))).sum();  // []
  Tensor loss = cost;
  if (label_smoothing > 0) {
    const Tensor none = rows == kNever;
    const Tensor each = -rows.masked_fill(none, 0).sum(1) / (~none).sum(1);  // [N]
    loss = (1 - label_smoothing) * cost + label_smoothing * each.sum();
  }
  return {loss, cost.detach().to(torch::kDouble), counted.size(),
          rows.argmax(1).eq(counted.ids).sum()};
}

}  // namespace heed
