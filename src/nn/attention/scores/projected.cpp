#include "nn/attention/scores/projected.h"

#include <cmath>

#include "nn/torch.h"

#include "nn/attention/heads.h"
#include "nn/gradient_sum.h"

namespace heed {

ProjectedScorer::ProjectedScorer(const ProjectedConfig& config, const StageDims& dims)
    : heads_(dims.heads) {
  if (!config.project.value_or(dims.project)) return;
  const int64_t width = config.width_of_heads(dims);
  query_ = Linear(*this, "query", dims.query, width);
  key_ = Linear(*this, "key", dims.source.key, width);
}

Tensor ProjectedScorer::prepare_queries(const Tensor& x, const Tensor&) {
  return split_heads(query_ ? query_(x) : x, heads_);
}

Tensor ProjectedScorer::prepare_keys(const Tensor& x, const Tensor&) {
  return split_heads(key_ ? key_(x) : x, heads_);
}

Tensor scaled_product(const Tensor& queries, const Tensor& keys) {
  const double root = std::sqrt(static_cast<double>(queries.size(3)));
  return step_product_transposed(queries / root, keys);
}

}  // namespace heed
