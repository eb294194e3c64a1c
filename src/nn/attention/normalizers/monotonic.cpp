// monotonic: the expected alignment of a reader that goes from key to key, never back, and stays at
// key j with probability p_ij = sigmoid(e_ij) (Raffel et al. 2017, equations 8 to 11):
// α_ij = p_ij Σ_{k<=j} α_{i-1},k Π_{k<=l<j} (1 - p_il); before the first query it stands at the first
// key. A key that may not be read is passed by. The weights may sum to less than 1: what is left ran
// off the end.
#include "nn/torch.h"

#include "nn/attention/stages.h"

namespace heed {

namespace {

class Monotonic final : public Normalizer {
 public:
  Tensor weights(const Tensor& scores, const Tensor& mask, const At& at) override {
    const Tensor stays = torch::sigmoid(scores).masked_fill(~mask, 0).squeeze(2);  // p [R,H,S]
    const int64_t count = stays.size(2);
    Tensor before = at.history.previous;  // [R,H,S]
    if (at.history.first) before = torch::one_hot(torch::zeros_like(at.positions), count).to(stays);
    std::vector<Tensor> weights;
    Tensor arriving = torch::zeros_like(stays.select(2, 0));  // [R,H]
    for (int64_t j = 0; j < count; ++j) {
      arriving = arriving + before.select(2, j);
      weights.push_back(arriving * stays.select(2, j));
      arriving = arriving - weights.back();
    }
    return torch::stack(weights, 2).unsqueeze(2);  // [R,H,1,S]
  }
};

struct MonotonicConfig final : NormalizerConfig {
  void check(const StageDims& dims, Problems& problems) const override {
    check_order(*this, dims, problems);
  }
  bool needs_history() const override { return true; }
  void fields(Fields&) override {}
  std::shared_ptr<Normalizer> build(const StageDims&) const override {
    return std::make_shared<Monotonic>();
  }
};

}  // namespace

namespace kinds {
Kind<NormalizerConfig> monotonic() {
  return kind<MonotonicConfig, NormalizerConfig>(
      "monotonic", "monotonic alignment, in expectation (Raffel 2017)");
}
}  // namespace kinds

}  // namespace heed
