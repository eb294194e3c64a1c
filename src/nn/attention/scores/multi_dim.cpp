// multi_dim: a score for each feature of the values (Shen et al. 2018, DiSAN):
//   full    Wᵀ ELU(W1 k + W2 q + b1) + b                (section 3.1)
//   light   C tanh((W1 k + W2 q + b1) / C), C = 5       (section 3.2, of DiSA blocks)
// There are as many heads as features, and values of width 1.
#include "nn/torch.h"

#include "config/older.h"
#include "config/sizes.h"
#include "nn/attention/heads.h"
#include "nn/attention/scores/hidden_width.h"
#include "nn/attention/stages.h"
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

// `form:` of the score.
struct MultiDimForm : KindSettings {
  virtual void check(const StageDims& dims, const Problems& problems) const {}
  virtual std::shared_ptr<Scorer> build(const StageDims& dims) const = 0;
};

struct FullForm final : MultiDimForm, HiddenWidthNote {
  int64_t hidden = 512;
  void fields(Fields& f) const override {
    f.field("hidden", hidden, kWidths, "width of the hidden layer");
  }
  void check(const StageDims& dims, const Problems& problems) const override {
    look_at_hidden(hidden, dims, problems);
  }
  std::shared_ptr<Scorer> build(const StageDims& dims) const override {
    return std::make_shared<FullScorer>(dims, hidden);
  }
};

struct LightForm final : MultiDimForm {
  void fields(Fields&) const override {}
  std::shared_ptr<Scorer> build(const StageDims& dims) const override {
    return std::make_shared<LightScorer>(dims);
  }
};

const Registry<MultiDimForm>& multi_dim_forms() {
  static const Registry<MultiDimForm> list = {
      kind<FullForm, MultiDimForm>("full", "with a hidden layer"),
      kind<LightForm, MultiDimForm>("light", "without it, as in DiSA blocks"),
  };
  return list;
}

struct MultiDimConfig final : ScorerConfig {
  std::shared_ptr<MultiDimForm> form = make_kind<LightForm>("light");
  void fields(Fields& f) const override {
    moved(f, "hidden", "form");
    f.one_of("form", form, multi_dim_forms(), "with a hidden layer or without");
  }
  std::optional<int64_t> heads(int64_t context_width) const override { return context_width; }
  int64_t width_of_heads(const StageDims& dims) const override { return dims.heads; }
  void check(const StageDims& dims, Problems& problems) const override {
    form->check(dims, ProblemsAt(problems, "form"));
  }
  bool needs_all_keys() const override { return true; }
  std::shared_ptr<Scorer> build(const StageDims& dims) const override { return form->build(dims); }
};

}  // namespace

namespace kinds {
Kind<ScorerConfig> multi_dim() {
  return kind<MultiDimConfig, ScorerConfig>(
      "multi_dim", "multi-dimensional: a score for each feature of the values (Shen 2018, DiSAN)");
}
}  // namespace kinds

}  // namespace heed
