// fusion_gate: u = F ⊙ h + (1 - F) ⊙ s, F = sigmoid(W1 s + W2 h + b), of the weighted sum s and the
// query h itself (Shen et al. 2018, DiSAN, equations 20 and 21).
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/readouts/weighted_sum.h"
#include "nn/linear.h"

namespace heed {

namespace {

class FusionGate final : public WeightedSum {
 public:
  FusionGate(const WeightedSumConfig& config, const StageDims& dims)
      : WeightedSum(config, dims),
        from_sum_(*this, "from_sum", dims.query, dims.query),
        from_query_(*this, "from_query", dims.query, dims.query, kNoBias) {}
  Tensor combine(const Tensor& heads, const At& at) override {
    const Tensor sum = WeightedSum::combine(heads, at);  // [R,T,W]
    const Tensor gate = torch::sigmoid(from_sum_(sum) + from_query_(at.query));
    return gate * at.query + (1 - gate) * sum;
  }

 private:
  Linear from_sum_, from_query_;
};

}  // namespace

std::shared_ptr<ReadOut> builders::fusion_gate(const ReadOutConfig& config, const StageDims& dims) {
  return std::make_shared<FusionGate>(settings_as<WeightedSumConfig>(config), dims);
}

}  // namespace heed
