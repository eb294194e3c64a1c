#include "nn/attention/scores/projected.h"

#include "nn/torch.h"

#include "nn/attention/heads.h"

namespace heed {

ProjectedScorer::ProjectedScorer(const ProjectedConfig& config, const StageDims& dims)
    : heads_(dims.heads), key_heads_(dims.key_value_heads) {
  if (!config.project.value_or(dims.project)) return;
  const int64_t width = config.width_of_heads(dims);
  query_ = Linear(*this, "query", dims.query, width);
  key_ = Linear(*this, "key", dims.source.key, width / heads_ * key_heads_);
}

Tensor ProjectedScorer::prepare_queries(const Tensor& x, const Tensor&) {
  return split_heads(query_ ? query_(x) : x, heads_);
}

Tensor ProjectedScorer::prepare_keys(const Tensor& x, const Tensor&) {
  return split_heads(key_ ? key_(x) : x, key_heads_);
}

}  // namespace heed
