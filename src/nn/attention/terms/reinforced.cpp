// reinforced: two samplers select the tokens that attend, the heads, and those attended to, the
// dependents (Shen et al. 2018, ReSA, section 4): i attends to j if z^h_i = z^d_j = 1 and i ≠ j. A
// sampler is
//   p(z_i = 1) = sigmoid(wᵀ ELU(W [x_i; m; x_i ⊙ m] + b) + b'), m the mean of the sentence.
// In training the choices are sampled and trained by REINFORCE: the log-probability of the sample
// times its advantage over a moving mean, and a penalty on the expected fraction of selected
// tokens. For the first `warmup` updates all tokens are selected and the samplers are not trained.
// In inference z_i = 1 if p > 0.5; b' is 2 at first, so that untrained samplers select nearly all
// tokens.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/terms/reinforced_config.h"
#include "nn/linear.h"

namespace heed {

namespace {

class Sampler final : public Module {
 public:
  explicit Sampler(int64_t width)
      : hidden_(*this, "hidden", 3 * width, width), score_(*this, "score", width, 1, kNoBias) {
    bias_ = add_parameter("bias", {1}, Init::all(2));
  }
  // x [R,T,W], open [R,T] -> log p(z=1) / p(z=0)  [R,T]
  Tensor forward(const Tensor& x, const Tensor& open) {
    const Tensor mean = mean_state(x, open).unsqueeze(1);  // [R,1,W]
    const Tensor seen = torch::cat({x, mean.expand_as(x), x * mean}, 2);
    return score_(torch::elu(hidden_(seen))).squeeze(2) + bias_;
  }

 private:
  Linear hidden_, score_;
  Tensor bias_;  // b' [1]
};

class Reinforced final : public Term {
 public:
  Reinforced(const ReinforcedConfig& config, int64_t width)
      : config_(config),
        heads_(std::make_shared<Sampler>(width)),
        dependents_(std::make_shared<Sampler>(width)) {
    register_module("heads", heads_);
    register_module("dependents", dependents_);
  }

  Tensor restrict(const Tensor& mask, const At& at) override {
    const Tensor others = distances(at).ne(0).unsqueeze(1);  // [R,1,T,S]
    if (at.pass.training && at.pass.update <= config_.warmup) return mask & others;
    const Tensor head = chosen(*heads_, at), dependent = chosen(*dependents_, at);  // [R,T]
    const Tensor keys = torch::constant_pad_nd(dependent, {0, mask.size(3) - dependent.size(1)});
    return mask & others & head.unsqueeze(1).unsqueeze(3) & keys.unsqueeze(1).unsqueeze(2);
  }

 private:
  // Tokens selected by a sampler.  [R,T]
  Tensor chosen(Sampler& sampler, const At& at) const {
    const Tensor open = at.positions < at.reach;  // [R,T]
    const Tensor logits = sampler.forward(at.query, open);
    if (!at.pass.training) return open & (logits > 0);
    const Tensor p = torch::sigmoid(logits);
    const Tensor z = uniform_numbers(p.sizes(), p, at.pass) < p;
    at.losses.push_back({.name = "reinforced",
                         .value = torch::log_sigmoid(torch::where(z, logits, -logits)),
                         .is_policy = true});
    at.losses.push_back({.name = "reinforced_share",
                         .value = p / at.reach.clamp_min(1),
                         .weight = config_.penalty});
    return open & z;
  }

  ReinforcedConfig config_;
  std::shared_ptr<Sampler> heads_, dependents_;
};

}  // namespace

std::shared_ptr<Term> builders::reinforced(const TermConfig& config, const StageDims& dims) {
  return std::make_shared<Reinforced>(settings_as<ReinforcedConfig>(config), dims.query);
}

}  // namespace heed
