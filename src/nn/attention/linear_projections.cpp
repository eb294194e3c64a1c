#include "nn/attention/linear_projections.h"

#include "nn/torch.h"

#include "nn/attention/empty_rows.h"
#include "nn/attention/heads.h"

namespace heed {

LinearProjections::LinearProjections(const LinearConfig& config, const AttentionDims& dims)
    : heads_(config.weight_heads(dims)),
      query_(dims.query, dims.query),
      key_(dims.source.key, dims.query),
      value_(dims.source.value, config.context_width(dims)),
      output_(config.context_width(dims), config.context_width(dims)) {
  register_module("query", query_);
  register_module("key", key_);
  register_module("value", value_);
  register_module("output", output_);
}

Tensor LinearProjections::heads_of(torch::nn::Linear& projection, const Tensor& x) const {
  return split_heads(projection(x), heads_);
}

Attended LinearProjections::finished(const Tensor& heads, const StateView& state) {
  Attended attended;
  attended.context = without_empty_rows(output_(join_heads(heads)), state);
  return attended;
}

}  // namespace heed
