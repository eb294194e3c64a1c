// Attention mechanisms of the tests alone, which carry from step to step what a hypothesis did: a
// search that mixes up its hypotheses gives other probabilities than those of the whole target.
#pragma once

#include "nn/torch.h"

#include <memory>
#include <vector>

#include "nn/attention/stages.h"
#include "search/tiny_models.h"

namespace heed {

// A key that was read before is read less: scores - 3 · total weight so far.
class FadingTerm final : public Term {
 public:
  bool needs_history() const override { return true; }
  Tensor add_to(const Tensor& scores, const At& at) override {
    return scores - 3 * at.history.total.unsqueeze(2);
  }
};

struct FadingConfig final : TermConfig {
  void fields(Fields& f) override {}
  std::shared_ptr<Term> build(const StageDims& dims) const override {
    return std::make_shared<FadingTerm>();
  }
};

// No weights: the mean of the source plus the decayed sum of all queries so far, which lies in the
// state as the hypothesis's own; the mean is the sentence's.
class RunningAttention final : public Attention {
 public:
  explicit RunningAttention(const AttentionDims& dims) {
    source_ = register_parameter("source", torch::empty({dims.query, dims.value}));
  }
  void start(const Sources& sources, StateView state) override {
    const Source& source = sources.begin()->second;
    const Tensor mask = source.mask.unsqueeze(2).to(source.values.scalar_type());
    const Tensor mean = (source.values * mask).sum(1) / mask.sum(1);  // [R,V]
    state.put_shared("mean", torch::matmul(mean, source_.t()));       // [R,W]
    state.put("sum", torch::zeros({mean.size(0), source_.size(0)}, mean.options()));
  }
  void extend(const Tensor&, const Tensor&, StateView) override {}
  Attended attend(const Tensor& query, const Tensor&, StateView state) override {
    std::vector<Tensor> contexts;
    for (int64_t t = 0; t < query.size(1); ++t) {
      state.put("sum", 0.7 * state.get("sum") + query.select(1, t));
      contexts.push_back(state.get("sum") + state.get("mean"));
    }
    Attended attended;
    attended.context = torch::stack(contexts, 1);  // [R,T,W]
    return attended;
  }

 private:
  Tensor source_;
};

struct RunningConfig final : AttentionConfig {
  void fields(Fields& f) override {}
  void check(const AttentionDims& dims, Problems& problems) const override {}
  int64_t context_width(const AttentionDims& dims) const override { return dims.query; }
  std::shared_ptr<Attention> build(const AttentionDims& dims) const override {
    return std::make_shared<RunningAttention>(dims);
  }
};

inline std::shared_ptr<AttentionConfig> fading(const char* score, int64_t heads) {
  auto config = StagedConfig::with(score, heads);
  config->terms.push_back(std::make_shared<FadingConfig>());
  return config;
}

inline ModelConfig with_attention(ModelConfig config, std::shared_ptr<AttentionConfig> attention) {
  if (auto* rnn = dynamic_cast<RnnDecoderConfig*>(config.decoder.get())) {
    rnn->attention = std::move(attention);
  } else {
    dynamic_cast<TransformerDecoderConfig&>(*config.decoder).attention = std::move(attention);
  }
  return config;
}

}  // namespace heed
