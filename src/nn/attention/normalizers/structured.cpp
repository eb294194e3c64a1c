// structured: each readable key is selected or not, z in {0,1}^S, with the score Σ_s e_s z_s +
// Σ_s b[z_s, z_{s+1}] of a chain over the readable keys; p_s = p(z_s = 1), by forward–backward in
// log space (Kim et al. 2017, section 3.1). As in the authors' translation models (section 4.2 and
// their code) the weights are λ p_s / Σ p, so that a long sentence does not give a large context,
// and the objective costs λ₂ |b|². Without λ they are the marginals p_s themselves.
//
// kind: tree: the weight of key j for query i is p(head of i is j), with the score e_ij, in a
// projective dependency tree over the sentence (section 3.2). The root is its last position, </s>,
// in place of the <s> that the authors put in front; it has no head and reads nothing.
#include "nn/torch.h"

#include <algorithm>

#include "nn/attention/builders.h"
#include "nn/attention/normalizers/dependency_trees.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/attention/normalizers/structured_config.h"

namespace heed {

namespace {

class Chain final : public Normalizer {
 public:
  explicit Chain(const StructuredConfig& config) : scale_(config.scale), penalty_(config.penalty) {
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

class Tree final : public Normalizer {
 public:
  Tensor weights(const Tensor& scores, const Tensor& mask, const At& at) override {
    // The positions of the sentence are the queries that are keys as well.
    const int64_t size = std::min(scores.size(2), scores.size(3));
    const auto square = [size](const Tensor& x) {
      return x.narrow(2, 0, size).narrow(3, 0, size).flatten(0, 1);  // [R·H,size,size]
    };
    const Tensor roots = (at.reach.clamp_max(size) - 1).clamp_min(0);  // [R,1]
    const Tensor p = arc_probabilities(square(scores), square(mask.expand_as(scores)),
                                       roots.expand({scores.size(0), scores.size(1)}).flatten());
    return torch::constant_pad_nd(p.unflatten(0, {scores.size(0), scores.size(1)}),
                                  {0, scores.size(3) - size, 0, scores.size(2) - size});
  }
};

}  // namespace

std::shared_ptr<Normalizer> builders::structured(const NormalizerConfig& config, const StageDims&) {
  const auto& structured = settings_as<StructuredConfig>(config);
  if (structured.kind == StructuredConfig::Kind::kTree) return std::make_shared<Tree>();
  return std::make_shared<Chain>(structured);
}

}  // namespace heed
