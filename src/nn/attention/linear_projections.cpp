#include "nn/attention/linear_projections.h"

#include "nn/torch.h"

#include "nn/attention/empty_rows.h"
#include "nn/attention/heads.h"

namespace heed {

LinearProjections::LinearProjections(const LinearConfig& config, AttentionDims dims)
    : dims_(std::move(dims)),
      heads_(config.weight_heads(dims_)),
      query_(dims_.query, dims_.query),
      key_(dims_.key, dims_.query),
      value_(dims_.value, config.context_width(dims_)),
      output_(config.context_width(dims_), config.context_width(dims_)) {
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
  attended.place = dims_.name;
  return attended;
}

}  // namespace heed
