// hard: a single key (Xu et al. 2015, section 4.1). In inference it is the key with the highest
// score, the first of equals; in training it is sampled from the softmax and trained by
//   reinforce          the log-probability of the sample, times λ_r and its advantage over a
//                      moving mean; with the entropy of the softmax as a bonus
//   straight_through   the gradient of the softmax instead of that of the sample
//                      (Bengio et al. 2013)
// A fraction of the sentences, half of them in the paper, uses the softmax for all of their queries
// instead of samples.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/normalizers/hard_config.h"
#include "nn/attention/normalizers/masked_softmax.h"

namespace heed {

namespace {

class Hard final : public Normalizer {
 public:
  explicit Hard(const HardConfig& config)
      : soft_(config.soft),
        gradient_(config.gradient),
        reinforce_(dynamic_cast<const ReinforceGradient*>(gradient_.get())) {}
  Tensor weights(const Tensor& scores, const Tensor& mask, const At& at) override {
    const Tensor soft = masked_softmax(scores, mask);  // [R,H,T,S]
    const Tensor chosen = at.pass.training ? drawn(soft.detach(), at.pass) : soft.argmax(-1);
    const Tensor hard = torch::one_hot(chosen, soft.size(3)).to(soft.scalar_type()) *
                        mask.to(soft.scalar_type());  // [R,H,T,S]
    if (!at.pass.training) return hard;
    const Tensor is_soft = softened(soft, at);  // [R,1,1,1]
    if (reinforce_ == nullptr) return torch::where(is_soft, soft, hard + soft - soft.detach());
    // Rows without readable keys have no sample.
    const Tensor log = soft.clamp_min(kSmallest).log();
    at.losses.push_back({.name = "hard",
                         .value = (log * hard).masked_fill(is_soft, 0).sum(-1).sum(1),
                         .is_policy = true,
                         .weight = reinforce_->weight});
    at.losses.push_back({.name = "hard_entropy",
                         .value = (soft * log).sum(-1).sum(1),  // -H [R,T]
                         .weight = reinforce_->entropy});
    return torch::where(is_soft, soft, hard);
  }

 private:
  static constexpr double kSmallest = 1e-30;

  // The first key behind which more than a uniform part of the probability lies.  [R,H,T]
  static Tensor drawn(const Tensor& soft, const Pass& pass) {
    const Tensor sums = soft.cumsum(-1);
    const Tensor total = sums.select(3, soft.size(3) - 1);
    const Tensor bound = uniform_numbers(total.sizes(), total, pass) * total;
    return (sums <= bound.unsqueeze(3)).sum(-1).clamp_max(soft.size(3) - 1);
  }

  // Sentences that use the softmax.  [R,1,1,1]
  Tensor softened(const Tensor& soft, const At& at) const {
    const std::vector<int64_t> one_a_row{soft.size(0), 1, 1, 1};
    if (soft_ == 0)
      return torch::zeros(one_a_row, soft.options().dtype(torch::kBool).requires_grad(false));
    if (const Tensor drawn = carried(at, is_soft_); drawn.defined()) return drawn;
    const Tensor is_soft = uniform_numbers(one_a_row, soft, at.pass) < soft_;
    carry(at, is_soft_, is_soft);
    return is_soft;
  }

  double soft_;
  std::shared_ptr<const HardGradientConfig> gradient_;
  const ReinforceGradient* reinforce_;  // null: straight through
  CarrySlot is_soft_ = layout_.carry("is_soft");
};

}  // namespace

std::shared_ptr<Normalizer> builders::hard(const NormalizerConfig& config, const StageDims&) {
  return std::make_shared<Hard>(settings_as<HardConfig>(config));
}

}  // namespace heed
