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
      filters_ = add_parameter("filters", {filters, kernel}, Init::matrix());
      convolved_ = add_parameter("convolved", {additive.hidden, filters}, Init::matrix());
    }
    if (coverage) coverage_ = add_parameter("coverage", {additive.hidden}, Init::vector());
  }

  Tensor score(const At& at) override {
    Tensor keys = at.keys.unsqueeze(2);  // [R,H,1,S,D]
    if (filters_.defined()) {
      const Tensor map = convolved_.view({heads_, -1, filters_.size(0)});  // M [H,D,F]
      keys = keys + torch::matmul(features(at.history.previous), map.transpose(1, 2).unsqueeze(1));
    }
    if (coverage_.defined())
      keys = keys + at.history.total.unsqueeze(4) * coverage_.view({heads_, 1, 1, -1});
    return compare(at.queries, keys);
  }

 private:
  // Convolves the weights of the previous query [R,H,T,S] -> [R,H,T,S,F], padded with zeros at both
  // ends.
  Tensor features(const Tensor& weights) const {
    const Tensor rows = weights.flatten(0, 2).unsqueeze(1);  // [R·H·T,1,S]
    const Tensor out = torch::conv1d(rows, filters_.unsqueeze(1), {}, 1, kernel_ / 2);
    return out.transpose(1, 2).unflatten(0, weights.sizes().slice(0, 3));
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
