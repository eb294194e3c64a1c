#include "nn/attention/scores/additive.h"

#include "nn/torch.h"

#include "nn/attention/heads.h"

namespace heed {

namespace {

class AdditiveScorer final : public Scorer {
 public:
  AdditiveScorer(const StageDims& dims, int64_t hidden, bool bias)
      : heads_(dims.heads),
        query_(torch::nn::LinearOptions(dims.query, hidden).bias(bias)),
        key_(torch::nn::LinearOptions(dims.key, hidden).bias(false)) {
    register_module("query", query_);
    register_module("key", key_);
    v_ = register_parameter("v", torch::empty({hidden}));
  }
  Tensor prepare_queries(const Tensor& x, const Tensor&) override {
    return split_heads(query_(x), heads_);
  }
  Tensor prepare_keys(const Tensor& x, const Tensor&) override {
    return split_heads(key_(x), heads_);
  }
  Tensor score(const At& at) override {
    const Tensor compared =
        (at.queries.unsqueeze(3) + at.keys.unsqueeze(2)).tanh_();  // [R,H,T,S,D]
    const Tensor v = v_.view({heads_, 1, -1, 1});                  // [H,1,D,1]
    return torch::matmul(compared, v).squeeze(4);                  // [R,H,T,S]
  }

 private:
  int64_t heads_;
  torch::nn::Linear query_, key_;
  Tensor v_;  // [H·D]
};

}  // namespace

void AdditiveConfig::fields(Fields& f) {
  f.field("hidden", hidden, kPositive, "width of the compared projections");
}

std::shared_ptr<Scorer> AdditiveConfig::build(const StageDims& dims) const {
  return std::make_shared<AdditiveScorer>(dims, hidden, has_bias());
}

}  // namespace heed
