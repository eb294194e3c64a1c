#include "nn/attention/empty_rows.h"

#include "nn/torch.h"

namespace heed {

void put_empty_rows(const Source& source, StateView state) {
  const Tensor empty = ~source.mask.any(1);  // [R]
  if (empty.any().item<bool>()) state.put_shared("empty", empty);
}

Tensor without_empty_rows(const Tensor& context, const StateView& state) {
  if (!state.has("empty")) return context;
  return context.masked_fill(state.get("empty").view({-1, 1, 1}), 0);
}

}  // namespace heed
