// structured: each readable key is selected or not, z in {0,1}^S, with the score Σ_s e_s z_s +
// Σ_s b[z_s, z_{s+1}] of a chain over the readable keys; p_s = p(z_s = 1), by forward–backward in
// log space (Kim et al. 2017, section 3.1). As in the authors' translation models (section 4.2 and
// their code) the weights are λ p_s / Σ p, so that a long sentence does not give a large context,
// and the objective costs λ₂ |b|². Without λ they are the marginals p_s themselves.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/attention/normalizers/structured_config.h"

namespace heed {

namespace {

class Structured final : public Normalizer {
 public:
  explicit Structured(const StructuredConfig& config)
      : scale_(config.scale), penalty_(config.penalty) {
    bias_ = add_parameter("transition_bias", {2, 2}, Init::all(0));
  }
  Tensor weights(const Tensor& scores, const Tensor& mask, const At& at) override {
    if (at.pass.training && penalty_ > 0) {
      at.losses.push_back({.name = "structured",
                           .value = bias_.square().sum().expand({scores.size(0), scores.size(2)}),
                           .weight = penalty_});
    }
    const Tensor open = mask.expand_as(scores);
    const Messages before = pass(scores, open, bias_.t(), false);
    const Messages behind = pass(scores, open, bias_, true);
    // p(z_s = 1) is the logistic function of e_s and the messages from both directions.
    const Tensor odds = scores + before + behind;
    if (!scale_) return torch::sigmoid(odds).masked_fill(~open, 0);
    return *scale_ * masked_softmax(torch::log_sigmoid(odds), open);  // p / Σ p by log p
  }

 private:
  using Messages = Tensor;

  // Message of the keys before or after s: the log odds of z_s = 1 against 0 without e_s.
  // [R,H,T,S] transition[to][from].
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
      // Masked keys are not in the chain.
      message = torch::where(open.select(3, s), worth(1) - worth(0), message);
    }
    return torch::stack(messages, 3);
  }

  std::optional<double> scale_;
  double penalty_;
  Tensor bias_;  // b [2,2]
};

}  // namespace

std::shared_ptr<Normalizer> builders::structured(const NormalizerConfig& config, const StageDims&) {
  return std::make_shared<Structured>(settings_as<StructuredConfig>(config));
}

}  // namespace heed
