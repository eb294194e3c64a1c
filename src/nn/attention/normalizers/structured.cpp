// structured: each readable key is chosen or not, z in {0,1}^S, with the score Σ_s e_s z_s +
// Σ_s b[z_s, z_{s+1}] of a chain over the readable keys; the weight of a key is p(z_s = 1), by
// forward–backward in log space (Kim et al. 2017, section 3.1). The weights need not sum to 1.
#include "nn/torch.h"

#include "nn/attention/stages.h"

namespace heed {

namespace {

class Structured final : public Normalizer {
 public:
  Structured() { bias_ = register_parameter("transition_bias", torch::zeros({2, 2})); }
  Tensor weights(const Tensor& scores, const Tensor& mask, const At&) override {
    const Tensor open = mask.expand_as(scores);
    const Messages before = pass(scores, open, bias_.t(), false);
    const Messages behind = pass(scores, open, bias_, true);
    // p(z_s = 1) is a logistic function of how much more 1 is worth than 0 from both sides.
    return torch::sigmoid(scores + before + behind).masked_fill(~open, 0);
  }

 private:
  using Messages = Tensor;

  // What the keys on one side say: the log odds of z_s = 1 against 0 without e_s.  [R,H,T,S]
  // transition[to][from].
  static Messages pass(const Tensor& scores, const Tensor& open, const Tensor& transition,
                       bool backwards) {
    const int64_t count = scores.size(3);
    Tensor message = torch::zeros_like(scores.select(3, 0));  // [R,H,T]
    std::vector<Tensor> messages(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
      const int64_t s = backwards ? count - 1 - i : i;
      messages[static_cast<size_t>(s)] = message;
      const Tensor odds = message + scores.select(3, s);
      const auto worth = [&](int64_t to) {
        return torch::logaddexp(transition[to][0].expand_as(odds), odds + transition[to][1]);
      };
      // What may not be read is no link of the chain.
      message = torch::where(open.select(3, s), worth(1) - worth(0), message);
    }
    return torch::stack(messages, 3);
  }

  Tensor bias_;  // b [2,2]
};

struct StructuredConfig final : NormalizerConfig {
  void check(const StageDims& dims, Problems& problems) const override {
    check_order(*this, dims, problems);
  }
  void fields(Fields&) override {}
  std::shared_ptr<Normalizer> build(const StageDims&) const override {
    return std::make_shared<Structured>();
  }
};

}  // namespace

namespace kinds {
Kind<NormalizerConfig> structured() {
  return kind<StructuredConfig, NormalizerConfig>(
      "structured",
      "structured attention: marginals p(z_s = 1) of a linear-chain CRF over the keys (Kim 2017)");
}
}  // namespace kinds

}  // namespace heed
