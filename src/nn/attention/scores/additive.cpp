#include "nn/attention/scores/additive.h"

#include "nn/torch.h"

#include "nn/attention/heads.h"

namespace heed {

AdditiveScorer::AdditiveScorer(const StageDims& dims, int64_t hidden, bool bias)
    : heads_(dims.heads),
      query_(torch::nn::LinearOptions(dims.query, hidden).bias(bias)),
      key_(torch::nn::LinearOptions(dims.key, hidden).bias(false)) {
  register_module("query", query_);
  register_module("key", key_);
  v_ = register_parameter("v", torch::empty({hidden}));
}

Tensor AdditiveScorer::prepare_queries(const Tensor& x, const Tensor&) {
  return split_heads(query_(x), heads_);
}

Tensor AdditiveScorer::prepare_keys(const Tensor& x, const Tensor&) {
  return split_heads(key_(x), heads_);
}

Tensor AdditiveScorer::compare(const Tensor& queries, const Tensor& keys) const {
  const Tensor compared = (queries.unsqueeze(3) + keys.unsqueeze(2)).tanh_();  // [R,H,T,S,D]
  return torch::matmul(compared, v_.view({heads_, 1, -1, 1})).squeeze(4);
}

Tensor AdditiveScorer::score(const At& at) { return compare(at.queries, at.keys); }

void AdditiveConfig::fields(Fields& f) {
  f.field("hidden", hidden, kPositive, "width of the hidden layer");
}

std::shared_ptr<Scorer> AdditiveConfig::build(const StageDims& dims) const {
  return std::make_shared<AdditiveScorer>(dims, hidden, true);
}

namespace {

struct ConcatConfig final : AdditiveConfig {
  std::shared_ptr<Scorer> build(const StageDims& dims) const override {
    return std::make_shared<AdditiveScorer>(dims, hidden, false);
  }
};

}  // namespace

namespace kinds {
Kind<ScorerConfig> concat() {
  return kind<ConcatConfig, ScorerConfig>("concat", "vᵀ tanh(W [q; k]) (Luong 2015)");
}
Kind<ScorerConfig> additive() {
  return kind<AdditiveConfig, ScorerConfig>("additive", "vᵀ tanh(W q + U k + b) (Bahdanau 2015)");
}
}  // namespace kinds

}  // namespace heed
