#include "nn/attention/readouts/weighted_sum.h"

#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/heads.h"
#include "nn/linear.h"

namespace heed {

WeightedSum::WeightedSum(const WeightedSumConfig& config, const StageDims& dims)
    : heads_(dims.heads), value_heads_(dims.key_value_heads) {
  const int64_t width = config.width_of_heads(dims);
  if (dims.combination != nullptr) combination_ = build(*dims.combination, heads_, width / heads_);
  if (combination_) register_module("heads", combination_);
  if (!config.project.value_or(dims.project)) return;
  value_ = Linear(*this, "value", dims.source.value, width / heads_ * value_heads_);
  if (!combination_) output_ = Linear(*this, "output", width, config.context_width(dims));
}

Tensor WeightedSum::prepare_values(const Tensor& x, const Tensor&) {
  return split_heads(value_ ? value_(x) : x, value_heads_);
}

Tensor WeightedSum::read(const Tensor& weights, const Tensor& values, const At&) {
  return head_sums(weights, values);  // [R,H,T,V]
}

Tensor WeightedSum::combine(const Tensor& heads, const At&) {
  if (combination_) return combination_->combine(heads);
  const Tensor joined = join_heads(heads);  // [R,T,H·V]
  return output_ ? output_(joined) : joined;
}

std::shared_ptr<ReadOut> builders::weighted_sum(const ReadOutConfig& config,
                                                const StageDims& dims) {
  return std::make_shared<WeightedSum>(settings_as<WeightedSumConfig>(config), dims);
}

}  // namespace heed
