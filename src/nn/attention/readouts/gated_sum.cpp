// gated: Y' = Y ⊙ σ(X W_θ), Y the weighted sums of the heads before their output projection and X
// the queries before projection (Qiu et al. 2025, section 2.2, equation 5, position G1). W_θ has a
// column for each feature, or for each head.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/heads.h"
#include "nn/attention/readouts/gated_sum_config.h"
#include "nn/attention/readouts/weighted_sum.h"
#include "nn/linear.h"

namespace heed {

namespace {

class GatedSum final : public WeightedSum {
 public:
  GatedSum(const GatedSumConfig& config, const StageDims& dims)
      : WeightedSum(config, dims),
        heads_(dims.heads),
        gate_(*this, "gate", dims.query,
              config.gate == GatedSumConfig::Gate::kHead ? heads_ : config.context_width(dims),
              kNoBias) {}
  Tensor combine(const Tensor& heads, const At& at) override {
    const Tensor gate = split_heads(torch::sigmoid(gate_(at.query)), heads_);  // [R,H,T,1|V]
    return WeightedSum::combine(heads * gate, at);
  }

 private:
  int64_t heads_;
  Linear gate_;  // W_θ
};

}  // namespace

std::shared_ptr<ReadOut> builders::gated_sum(const ReadOutConfig& config, const StageDims& dims) {
  return std::make_shared<GatedSum>(settings_as<GatedSumConfig>(config), dims);
}

}  // namespace heed
