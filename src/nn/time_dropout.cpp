#include "nn/time_dropout.h"

#include "nn/torch.h"

namespace heed {

Tensor dropout_over_time(const Tensor& x, double p, DropoutMask mask, const Pass& pass) {
  if (mask == DropoutMask::kStep) return dropout(x, p, pass);
  if (!pass.training || p <= 0) return x;
  return x * dropout_mask({x.size(0), x.size(2)}, p, x, pass).unsqueeze(1);
}

TimeDropout::TimeDropout(StateLayout& keeps, const std::string& name, double p, int64_t width,
                         DropoutMask mask)
    : p_(p), width_(width) {
  if (p > 0 && mask == DropoutMask::kSequence) mask_ = keeps.carry(name, 1);
}

void TimeDropout::start(const Tensor& like, StateView state) const {
  if (mask_ && state.pass().training)
    state.put(*mask_, dropout_mask({state.rows(), width_}, p_, like, state.pass()));
}

Tensor TimeDropout::operator()(const Tensor& x, const StateView& state, const Pass& pass) const {
  if (!mask_) return dropout(x, p_, pass);
  const Tensor own = mask(state);
  if (!own.defined()) return x;
  return x * (x.dim() == 3 ? own.unsqueeze(1) : own);
}

Tensor TimeDropout::mask(const StateView& state) const {
  return mask_ && state.pass().training ? state.get(*mask_) : Tensor();
}

}  // namespace heed
