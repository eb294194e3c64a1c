#include "nn/attention/readouts/weighted_sum.h"

#include "nn/torch.h"

#include "nn/attention/heads.h"

namespace heed {

namespace {

class WeightedSum final : public ReadOut {
 public:
  WeightedSum(const StageDims& dims, int64_t width, bool project) : heads_(dims.heads) {
    if (!project) return;
    value_ = register_module("value", torch::nn::Linear(dims.value, width));
    output_ = register_module("output", torch::nn::Linear(width, width));
  }
  Tensor prepare_values(const Tensor& x, const Tensor&) override {
    return split_heads(value_ ? value_(x) : x, heads_);
  }
  Tensor read(const Tensor& weights, const Tensor& values, const At&) override {
    return torch::matmul(weights, values);  // [R,H,T,V]
  }
  Tensor combine(const Tensor& heads, const At&) override {
    const Tensor joined = join_heads(heads);  // [R,T,H·V]
    return output_ ? output_(joined) : joined;
  }

 private:
  int64_t heads_;
  torch::nn::Linear value_{nullptr}, output_{nullptr};
};

}  // namespace

void WeightedSumConfig::fields(Fields& f) {
  f.field("project", project,
          "learned projections of values and of the joined heads; default: with several heads, or "
          "inside a Transformer block");
}

int64_t WeightedSumConfig::context_width(const StageDims& dims) const {
  return dims.block > 0 ? dims.block : dims.value;
}

void WeightedSumConfig::check(const StageDims& dims, Problems& problems) const {
  if (project.value_or(dims.project()) || dims.block == 0 || dims.value == dims.block) return;
  problems.add("project",
               fmt::format("values of width {} need a projection inside a block of width {}",
                           dims.value, dims.block));
}

std::shared_ptr<ReadOut> WeightedSumConfig::build(const StageDims& dims) const {
  return std::make_shared<WeightedSum>(dims, context_width(dims), project.value_or(dims.project()));
}

}  // namespace heed
