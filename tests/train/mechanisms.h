// Attention mechanisms of the tests alone, one for each thing a stage may do in training. They are
// kinds of the config like any other, so that a saved model holds them.
#pragma once

#include <memory>

#include "nn/attention/staged.h"
#include "nn/torch.h"

namespace heed {

// History: what was read before is read less.
struct FadingTerm final : Term {
  bool needs_history() const override { return true; }
  Tensor add_to(const Tensor& scores, const At& at) override {
    return scores - at.history.total.unsqueeze(2);
  }
};

// Restrict: no key beyond the second behind the query's own position.
struct WindowTerm final : Term {
  Tensor restrict(const Tensor& mask, const At& at) override {
    const Tensor near = at.key_positions.unsqueeze(1) <= at.positions.unsqueeze(2) + 2;  // [R,T,S]
    return mask & near.unsqueeze(1);
  }
};

// Reweigh: what is read much is read more.
struct SharpTerm final : Term {
  Tensor reweigh(const Tensor& weights, const At& at) override {
    const Tensor squares = weights * weights;
    return squares / squares.sum(-1, true).clamp_min(1e-9);
  }
};

// Side loss: the sum of the squared weights, with a weight that falls with the update.
struct CostlyTerm final : Term {
  Tensor reweigh(const Tensor& weights, const At& at) override {
    at.losses.push_back({.name = "cost",
                         .value = (weights * weights).sum(-1).mean(1),
                         .weight = 1.0 / static_cast<double>(1 + at.pass.update)});
    return weights;
  }
};

template <class T>
struct PlainTermConfig final : TermConfig {
  void fields(Fields& f) override {}
  std::shared_ptr<Term> build(const StageDims& dims) const override {
    return std::make_shared<T>();
  }
};

// State of its own and no weights: the mean of the source plus the decayed sum of the queries so
// far.
class RunningAttention final : public Attention {
 public:
  explicit RunningAttention(const AttentionDims& dims) {
    source_ = register_parameter("source", torch::zeros({dims.query, dims.value}));
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
      state.put("sum", 0.5 * state.get("sum") + query.select(1, t));
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

// Makes them kinds that a config can name; more than once is fine.
inline void register_test_mechanisms() {
  static const bool once = [] {
    terms().push_back(kind<PlainTermConfig<FadingTerm>, TermConfig>("test_fading", ""));
    terms().push_back(kind<PlainTermConfig<WindowTerm>, TermConfig>("test_window", ""));
    terms().push_back(kind<PlainTermConfig<SharpTerm>, TermConfig>("test_sharp", ""));
    terms().push_back(kind<PlainTermConfig<CostlyTerm>, TermConfig>("test_costly", ""));
    attentions().push_back(kind<RunningConfig, AttentionConfig>("test_running", ""));
    return true;
  }();
  static_cast<void>(once);
}

// An attention of this name: a term on top of the usual one, or a kind of its own.
inline std::shared_ptr<AttentionConfig> test_attention(const std::string& name, const char* score,
                                                       int64_t heads) {
  register_test_mechanisms();
  for (const auto& kind : attentions()) {
    if (name != kind.name) continue;
    auto config = kind.make();
    config->type = name;
    return config;
  }
  auto config = StagedConfig::with(score, heads);
  for (const auto& kind : terms()) {
    if (name != kind.name) continue;
    config->terms.push_back(kind.make());
    config->terms.back()->type = name;
  }
  return config;
}

}  // namespace heed
