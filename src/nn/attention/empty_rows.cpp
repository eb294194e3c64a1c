#include "nn/attention/empty_rows.h"

#include "nn/torch.h"

namespace heed {

void EmptyRows::put(const Source& source, const StateView& state) const {
  const Tensor empty = ~source.mask.any(1);  // [N]
  // On a GPU the answer would have to be waited for.
  if (!empty.device().is_cpu() || empty.any().item<bool>()) state.put(empty_, empty);
}

Tensor EmptyRows::without(const Tensor& context, const StateView& state) const {
  if (!any(state)) return context;
  return context.masked_fill(state.get(empty_).view({-1, 1, 1}), 0);
}

}  // namespace heed
