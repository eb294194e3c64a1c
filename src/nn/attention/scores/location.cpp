#include "nn/attention/scores/location.h"

#include "nn/torch.h"

#include "config/older.h"
#include "config/sizes.h"

namespace heed {

namespace {

class LocationScorer final : public AdditiveScorer {
 public:
  // Without filters where there are none, and without coverage.
  LocationScorer(const StageDims& dims, const AdditiveConfig& additive, int64_t filters,
                 int64_t kernel, bool coverage)
      : AdditiveScorer(dims, additive, true), kernel_(kernel) {
    if (filters > 0) {
      filters_ = register_parameter("filters", torch::empty({filters, kernel}));
      convolved_ = register_parameter("convolved", torch::empty({additive.hidden, filters}));
    }
    if (coverage) coverage_ = register_parameter("coverage", torch::empty({additive.hidden}));
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

struct CoverageFeatures final : LocationFeatures {
  void fields(Fields&) const override {}
  std::shared_ptr<Scorer> build(const StageDims& dims,
                                const AdditiveConfig& additive) const override {
    return std::make_shared<LocationScorer>(dims, additive, 0, 0, true);
  }
};

struct ConvolvedFeatures : LocationFeatures {
  int64_t filters = 10, kernel = 31;
  void fields(Fields& f) const override {
    f.field("filters", filters, kWidths, "filters over the previous weights");
    f.field("kernel", kernel, kLengths, "positions that a filter spans, an odd number");
  }
  void validate(Problems& problems) const override {
    if (kernel % 2 == 0)
      problems.add("kernel", fmt::format("{} has no middle: an odd number is needed", kernel));
  }
  bool needs_order() const override { return true; }
  std::shared_ptr<Scorer> build(const StageDims& dims,
                                const AdditiveConfig& additive) const override {
    return std::make_shared<LocationScorer>(dims, additive, filters, kernel, false);
  }
};

struct BothFeatures final : ConvolvedFeatures {
  std::shared_ptr<Scorer> build(const StageDims& dims,
                                const AdditiveConfig& additive) const override {
    return std::make_shared<LocationScorer>(dims, additive, filters, kernel, true);
  }
};

const Registry<LocationFeatures>& location_features() {
  static const Registry<LocationFeatures> list = {
      kind<ConvolvedFeatures, LocationFeatures>(
          "convolved", "filters over the previous weights (Chorowski 2015)"),
      kind<CoverageFeatures, LocationFeatures>("coverage",
                                               "the sum of all previous weights (See 2017)"),
      kind<BothFeatures, LocationFeatures>("both", "convolved and coverage"),
      fertility_features(),
      gru_coverage_features(),
  };
  return list;
}

struct LocationConfig final : AdditiveConfig {
  std::shared_ptr<LocationFeatures> features = make_kind<ConvolvedFeatures>("convolved");
  bool needs_history() const override { return true; }
  void fields(Fields& f) const override {
    AdditiveConfig::fields(f);
    for (const char* key : {"filters", "kernel"}) moved(f, key, "features");
    f.one_of("features", features, location_features(),
             "features of the previous attention weights");
  }
  std::shared_ptr<Scorer> build(const StageDims& dims) const override {
    return features->build(dims, *this);
  }
  void check(const StageDims& dims, Problems& problems) const override {
    AdditiveConfig::check(dims, problems);
    if (features->needs_order()) check_order(*this, dims, problems);
  }
};

}  // namespace

namespace kinds {
Kind<ScorerConfig> location() {
  return kind<LocationConfig, ScorerConfig>(
      "location",
      "additive, with features of the previous attention weights (location-aware: Chorowski 2015; "
      "coverage: Tu 2016, See 2017)");
}
}  // namespace kinds

}  // namespace heed
