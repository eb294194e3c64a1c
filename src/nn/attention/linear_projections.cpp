#include "nn/attention/linear_projections.h"

#include "nn/torch.h"

#include "nn/attention/heads.h"

namespace heed {

LinearProjections::LinearProjections(const LinearConfig& config, const AttentionDims& dims)
    : heads_(config.weight_heads(dims)),
      query_(*this, "query", dims.query, dims.query),
      key_(*this, "key", dims.source.key, dims.query),
      value_(*this, "value", dims.source.value, config.context_width(dims)),
      output_(*this, "output", config.context_width(dims), config.context_width(dims)) {}

Tensor LinearProjections::heads_of(const Linear& projection, const Tensor& x) const {
  return split_heads(projection(x), heads_);
}

Attended LinearProjections::finished(const Tensor& heads, const StateView& state) {
  Attended attended;
  attended.context = empty_.without(output_(join_heads(heads)), state);
  return attended;
}

}  // namespace heed
