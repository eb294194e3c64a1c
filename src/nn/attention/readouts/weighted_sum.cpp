#include "nn/attention/readouts/weighted_sum.h"

#include "nn/torch.h"

#include "nn/attention/heads.h"
#include "nn/gradient_sum.h"
#include "nn/linear.h"

namespace heed {

WeightedSum::WeightedSum(const WeightedSumConfig& config, const StageDims& dims)
    : heads_(dims.heads) {
  const int64_t width = config.context_width(dims);
  if (dims.combination != nullptr) combination_ = dims.combination->build(heads_, width / heads_);
  if (combination_) register_module("heads", combination_);
  if (!config.project.value_or(dims.project)) return;
  value_ = Linear(*this, "value", dims.source.value, width);
  if (!combination_) output_ = Linear(*this, "output", width, width);
}

Tensor WeightedSum::prepare_values(const Tensor& x, const Tensor&) {
  return split_heads(value_ ? value_(x) : x, heads_);
}

Tensor WeightedSum::read(const Tensor& weights, const Tensor& values, const At&) {
  return step_product(weights, values);  // [R,H,T,V]
}

Tensor WeightedSum::combine(const Tensor& heads, const At&) {
  if (combination_) return combination_->combine(heads);
  const Tensor joined = join_heads(heads);  // [R,T,H·V]
  return output_ ? output_(joined) : joined;
}

void WeightedSumConfig::fields(Fields& f) const {
  f.field("project", project,
          "learn projections of the values and of the concatenated heads; default: true with "
          "several heads or in a Transformer layer");
}

int64_t WeightedSumConfig::context_width(const StageDims& dims) const {
  return dims.block > 0 ? dims.block : dims.source.value;
}

void WeightedSumConfig::check(const StageDims& dims, Problems& problems) const {
  if (project.value_or(dims.project) || dims.block == 0 || dims.source.value == dims.block) return;
  problems.add("project", fmt::format("values of width {} need a projection in a layer of width {}",
                                      dims.source.value, dims.block));
}

std::shared_ptr<ReadOut> WeightedSumConfig::build(const StageDims& dims) const {
  return std::make_shared<WeightedSum>(*this, dims);
}

namespace kinds {
Kind<ReadOutConfig> weighted_sum() {
  return kind<WeightedSumConfig, ReadOutConfig>("weighted_sum", "Σ a v");
}
}  // namespace kinds

}  // namespace heed
