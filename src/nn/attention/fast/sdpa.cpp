#include "nn/attention/fast/fused_attention.h"

#include <optional>

#include "nn/torch.h"

#include "base/fast_paths.h"
#include "nn/product.h"

namespace heed {

bool takes_sdpa(const Tensor& queries, double dropout) {
  return fast_paths() && dropout == 0 && queries.is_cuda() &&
         queries.scalar_type() == torch::kFloat && !in_bf16(queries);
}

Tensor sdpa(const Tensor& queries, const Tensor& keys, const Tensor& values, const Tensor& readable,
            double scale, bool causal) {
  const auto attend_where = [&](const std::optional<Tensor>& mask) {
    return at::scaled_dot_product_attention(queries, keys, values, mask, 0, causal, scale);
  };
  if (!readable.defined()) return attend_where(std::nullopt);
  const Tensor any = readable.any(1, true);                    // [R,1]
  const Tensor mask = readable.logical_or(any.logical_not());  // [R,S]
  return attend_where(mask.unsqueeze(1).unsqueeze(1)) * any.unsqueeze(2).unsqueeze(3);
}

}  // namespace heed
