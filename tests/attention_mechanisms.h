// Attention mechanisms for the tests, one for each thing that a stage, or an attention as a whole,
// may do. They are registered as kinds of the config, so that they can be saved with a model.
#pragma once

#include <memory>
#include <string>

#include "nn/attention/builders.h"
#include "nn/attention/staged_config.h"
#include "nn/torch.h"

namespace heed {

// History: lowers the score of a key by twice its weights so far, and by its last weight.
struct FadingTerm final : Term {
  static constexpr bool kNeedsHistory = true;
  Tensor add_to(const Tensor& scores, const At& at) override {
    return scores - 2 * at.history.total - at.history.previous;
  }
};

// Restrict: only keys at most one position away from the query.
struct NearTerm final : Term {
  Tensor restrict(const Tensor& mask, const At& at) override {
    const Tensor distance = at.key_positions.unsqueeze(1) - at.positions.unsqueeze(2);  // [R,T,S]
    return mask & distance.abs().le(1).unsqueeze(1);
  }
};

// Reweigh: squares the weights, without renormalizing them.
struct SquaringTerm final : Term {
  Tensor reweigh(const Tensor& weights, const At&) override { return weights * weights; }
};

// Side loss: the sum of the squares of a query's weights, with a weight that decays with the
// updates.
struct CostlyTerm final : Term {
  Tensor reweigh(const Tensor& weights, const At& at) override {
    at.losses.push_back({.name = "cost",
                         .value = weights.square().sum(-1).mean(1),  // [R,T]
                         .weight = 1.0 / static_cast<double>(1 + at.pass.update)});
    return weights;
  }
};

template <class T>
struct MechanismConfig final : TermConfig {
  void fields(Fields&) override {}
  bool needs_history() const override {
    return requires { T::kNeedsHistory; };
  }
};

// Registers a term as a kind that a config can name.
template <class T>
void register_test_term(const char* name) {
  terms().push_back(kind<MechanismConfig<T>, TermConfig>(name, ""));
  mechanism_builders<TermConfig>()[name] = [](const TermConfig&,
                                              const StageDims&) -> std::shared_ptr<Term> {
    return std::make_shared<T>();
  };
}

// Attention with a state and without weights. Its context is the mean of the source, kept for each
// sentence, plus a decayed sum of the queries so far, kept for each hypothesis.
class RunningAttention final : public Attention {
 public:
  explicit RunningAttention(const AttentionDims& dims) {
    source_ = add_parameter("source", {dims.query, dims.source.value}, Init::matrix());
  }
  void start(const Sources& sources, StateView state) override {
    const Source& source = sources.begin()->second;
    const Tensor mask = source.mask.unsqueeze(2).to(source.values.scalar_type());
    const Tensor mean = (source.values * mask).sum(1) / mask.sum(1);  // [R,V]
    state.put(mean_, torch::matmul(mean, source_.t()));
    state.put(sum_, torch::zeros({mean.size(0), source_.size(0)}, mean.options()));
  }
  Attended attend(const Tensor& query, const Tensor&, StateView state) override {
    const int64_t hypotheses = state.hypotheses();
    const Tensor asked = by_hypothesis(query, hypotheses);  // [R,T,W]
    std::vector<Tensor> contexts;
    for (int64_t t = 0; t < asked.size(1); ++t) {
      state.put(sum_, 0.7 * state.get(sum_) + asked.select(1, t));
      contexts.push_back(state.get(sum_) + state.by_row(mean_));
    }
    Attended attended;
    attended.context = by_sentence(torch::stack(contexts, 1), hypotheses);
    return attended;
  }

 private:
  Tensor source_;
  MemorySlot mean_ = layout_.memory("mean");  // [N,W]
  CarrySlot sum_ = layout_.carry("sum");      // [R,W]
};

struct RunningConfig final : AttentionConfig {
  void fields(Fields&) override {}
  void check(const AttentionDims& dims, Problems& problems) const override {
    if (dims.place == Place::kDecoderSelf) problems.add("", "reads a source");
  }
  int64_t context_width(const AttentionDims& dims) const override { return dims.query; }
  int64_t weight_heads(const AttentionDims&) const override { return 0; }
};

// Registers them as kinds that a config can name; may be called more than once.
inline void register_test_mechanisms() {
  static const bool once = [] {
    register_test_term<FadingTerm>("test_fading");
    register_test_term<NearTerm>("test_near");
    register_test_term<SquaringTerm>("test_squaring");
    register_test_term<CostlyTerm>("test_costly");
    attentions().push_back(kind<RunningConfig, AttentionConfig>("test_running", ""));
    mechanism_builders<AttentionConfig>()["test_running"] =
        [](const AttentionConfig&, const AttentionDims& dims) -> std::shared_ptr<Attention> {
      return std::make_shared<RunningAttention>(dims);
    };
    return true;
  }();
  static_cast<void>(once);
}

// Returns the attention config of this name: a registered attention, or the staged attention with
// this score and the term of this name. An unknown name gives the staged attention alone.
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
