#include "nn/chunks.h"

#include "nn/torch.h"

namespace heed {

Tensor chunks_of(const Tensor& marks) {
  const Tensor ends = marks.to(torch::kLong);
  return ends.cumsum(1) - ends;
}

Tensor chunk_counts(const Tensor& chunks, const Tensor& mask) {
  return (chunks + 1).masked_fill(~mask, 0).amax(1);
}

Tensor chunk_members(const Tensor& chunks, const Tensor& mask, int64_t count) {
  const Tensor numbers = torch::arange(count, chunks.options()).view({1, -1, 1});  // [1,C,1]
  return (chunks.unsqueeze(1) == numbers) & mask.unsqueeze(1);
}

}  // namespace heed
