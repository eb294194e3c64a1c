// location: vᵀ tanh(W q + U k + b + M f + w_c c), additive with features of what was read before:
//   convolved   f_s = F * a_{t-1} around s: filters over the previous weights (Chorowski et al.
//               2015, equations 8 and 9)
//   coverage    c_s = Σ_{t'<t} a_{t'},s (See et al. 2017, equation 11)
#include "nn/torch.h"

#include "nn/attention/heads.h"
#include "nn/attention/scores/additive.h"

namespace heed {

namespace {

struct LocationConfig final : AdditiveConfig {
  enum class Features { kConvolved, kCoverage, kBoth };
  Features features = Features::kConvolved;
  int64_t filters = 10, kernel = 31;
  bool needs_history() const override { return true; }
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  std::shared_ptr<Scorer> build(const StageDims& dims) const override;
  void check(const StageDims& dims, Problems& problems) const override {
    AdditiveConfig::check(dims, problems);
    if (has(Features::kConvolved)) check_order(*this, dims, problems);
  }
  bool has(Features one) const { return features == one || features == Features::kBoth; }
};
using Features = LocationConfig::Features;

class LocationScorer final : public AdditiveScorer {
 public:
  LocationScorer(const LocationConfig& config, const StageDims& dims)
      : AdditiveScorer(dims, config.hidden, true), kernel_(config.kernel) {
    if (config.has(Features::kConvolved)) {
      filters_ = register_parameter("filters", torch::empty({config.filters, config.kernel}));
      convolved_ = register_parameter("convolved", torch::empty({config.hidden, config.filters}));
    }
    if (config.has(Features::kCoverage))
      coverage_ = register_parameter("coverage", torch::empty({config.hidden}));
  }
  Tensor score(const At& at) override {
    Tensor keys = at.keys;  // [R,H,S,D]
    if (filters_.defined()) {
      const Tensor map = convolved_.view({heads_, -1, filters_.size(0)});  // M [H,D,F]
      keys = keys + torch::matmul(features(at.history.previous), map.transpose(1, 2));
    }
    if (coverage_.defined())
      keys = keys + at.history.total.unsqueeze(3) * coverage_.view({heads_, 1, -1});
    return compare(at.queries, keys);
  }

 private:
  // Weights of the previous query [R,H,S] -> [R,H,S,F]; zeros stand before and behind them.
  Tensor features(const Tensor& weights) const {
    const Tensor rows = weights.flatten(0, 1).unsqueeze(1);  // [R·H,1,S]
    const Tensor out = torch::conv1d(rows, filters_.unsqueeze(1), {}, 1, kernel_ / 2);
    return out.transpose(1, 2).unflatten(0, {weights.size(0), weights.size(1)});
  }

  int64_t kernel_;
  Tensor filters_;    // F [F,K]
  Tensor convolved_;  // M [H·D,F]
  Tensor coverage_;   // w_c [H·D]
};

void LocationConfig::fields(Fields& f) {
  static const Words<Features> words = {{"convolved", Features::kConvolved},
                                        {"coverage", Features::kCoverage},
                                        {"both", Features::kBoth}};
  AdditiveConfig::fields(f);
  f.choice(
      "features", features, words,
      "location: filters over the previous weights; coverage: the sum of all previous weights");
  f.field("filters", filters, kPositive, "number of filters over the previous weights");
  f.field("kernel", kernel, kPositive, "width of a filter, in positions; an odd number");
}

void LocationConfig::validate(Problems& problems) const {
  if (kernel % 2 == 0)
    problems.add("kernel", fmt::format("{} is even, expected an odd number", kernel));
}

std::shared_ptr<Scorer> LocationConfig::build(const StageDims& dims) const {
  return std::make_shared<LocationScorer>(*this, dims);
}

}  // namespace

namespace kinds {
Kind<ScorerConfig> location() {
  return kind<LocationConfig, ScorerConfig>(
      "location",
      "additive, with features of the previous attention weights (location-aware: Chorowski 2015; "
      "coverage: See 2017)");
}
}  // namespace kinds

}  // namespace heed
