// fusion_gate: u = F ⊙ h + (1 - F) ⊙ s, F = sigmoid(W1 s + W2 h + b), of the weighted sum s and the
// query h itself (Shen et al. 2018, DiSAN, equations 20 and 21).
#include "nn/torch.h"

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

struct FusionGateConfig final : WeightedSumConfig {
  void check(const StageDims& dims, Problems& problems) const override {
    WeightedSumConfig::check(dims, problems);
    if (context_width(dims) == dims.query) return;
    problems.add(
        "",
        fmt::format("fusion_gate needs equal widths, but the query has width {} and the values {}",
                    dims.query, context_width(dims)));
  }
  std::shared_ptr<ReadOut> build(const StageDims& dims) const override {
    return std::make_shared<FusionGate>(*this, dims);
  }
};

}  // namespace

namespace kinds {
Kind<ReadOutConfig> fusion_gate() {
  return kind<FusionGateConfig, ReadOutConfig>(
      "fusion_gate", "fusion gate of Σ a v and the query (Shen 2018, DiSAN)");
}
}  // namespace kinds

}  // namespace heed
