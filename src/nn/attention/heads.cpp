#include "nn/attention/heads.h"

#include <vector>

#include "nn/torch.h"

#include "nn/gradient_sum.h"

namespace heed {

Tensor head_products(const Tensor& queries, const Tensor& keys) {
  const Tensor grouped = heads_by_group(queries, keys.size(1));
  return heads_of_groups(step_product_transposed(grouped, keys), queries.size(1));
}

Tensor head_sums(const Tensor& weights, const Tensor& values) {
  const Tensor grouped = heads_by_group(weights, values.size(1));
  return heads_of_groups(step_product(grouped, values), weights.size(1));
}

Tensor with_new_keys(const Tensor& x, int64_t keys) {
  std::vector<int64_t> pad(static_cast<size_t>(2 * (x.dim() - 3)), 0);
  pad.insert(pad.end(), {0, keys - x.size(2)});
  return torch::constant_pad_nd(x, pad);
}

}  // namespace heed
