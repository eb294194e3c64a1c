// multi_dim: a score for each feature of the values (Shen et al. 2018, DiSAN):
//   full    Wᵀ ELU(W1 k + W2 q + b1) + b                (section 3.1)
//   light   C tanh((W1 k + W2 q + b1) / C), C = 5       (section 3.2, of DiSA blocks)
// There are as many heads as features, and values of width 1.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/heads.h"
#include "nn/attention/scores/multi_dim_config.h"
#include "nn/linear.h"

namespace heed {

namespace {

class FullScorer final : public Scorer {
 public:
  FullScorer(const StageDims& dims, int64_t hidden)
      : query_(*this, "query", dims.query, hidden),
        key_(*this, "key", dims.source.key, hidden, kNoBias),
        output_(*this, "output", hidden, dims.heads) {}
  Tensor prepare_queries(const Tensor& x, const Tensor&) override { return query_(x).unsqueeze(1); }
  Tensor prepare_keys(const Tensor& x, const Tensor&) override { return key_(x).unsqueeze(1); }
  Tensor score(const At& at) override {
    const Tensor compared = at.queries.unsqueeze(3) + at.keys.unsqueeze(2);  // [R,1,T,S,D]
    return output_(torch::elu(compared.squeeze(1))).permute({0, 3, 1, 2});   // [R,H,T,S]
  }

 private:
  Linear query_, key_, output_;
};

class LightScorer final : public Scorer {
 public:
  explicit LightScorer(const StageDims& dims)
      : heads_(dims.heads),
        query_(*this, "query", dims.query, dims.heads),
        key_(*this, "key", dims.source.key, dims.heads, kNoBias) {}
  Tensor prepare_queries(const Tensor& x, const Tensor&) override {
    return split_heads(query_(x), heads_);  // [R,H,T,1]
  }
  Tensor prepare_keys(const Tensor& x, const Tensor&) override {
    return split_heads(key_(x), heads_);  // [R,H,S,1]
  }
  Tensor score(const At& at) override {
    constexpr double kScale = 5;
    return kScale * torch::tanh((at.queries + at.keys.transpose(2, 3)) / kScale);  // [R,H,T,S]
  }

 private:
  int64_t heads_;
  Linear query_, key_;
};

}  // namespace

std::shared_ptr<Scorer> builders::multi_dim(const ScorerConfig& config, const StageDims& dims) {
  const MultiDimFormConfig* form = settings_as<MultiDimConfig>(config).form.get();
  if (const auto* full = dynamic_cast<const FullForm*>(form))
    return std::make_shared<FullScorer>(dims, full->hidden);
  return std::make_shared<LightScorer>(dims);
}

}  // namespace heed
