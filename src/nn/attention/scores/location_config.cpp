#include "nn/attention/scores/location_config.h"

#include "config/sizes.h"

namespace heed {

void ConvolvedFeatures::fields(Fields& f) {
  f.field("filters", filters, kWidths, "filters over the previous weights");
  f.field("kernel", kernel, kLengths, "positions that a filter spans, an odd number");
}

void ConvolvedFeatures::validate(Problems& problems) const {
  if (kernel % 2 == 0)
    problems.add("kernel", fmt::format("{} has no middle: an odd number is needed", kernel));
}

void FertilityFeatures::fields(Fields& f) {
  f.field("most", most, kAboveZero, "N, maximum fertility");
}

void GruCoverageFeatures::fields(Fields& f) {
  f.field("width", width, kWidths, "d, width of the coverage vector");
}

namespace {

struct CoverageFeatures final : LocationFeaturesConfig {
  void fields(Fields&) override {}
};

const Registry<LocationFeaturesConfig>& location_features() {
  static const Registry<LocationFeaturesConfig> list = {
      kind<ConvolvedFeatures, LocationFeaturesConfig>(
          "convolved", "filters over the previous weights (Chorowski 2015)"),
      kind<CoverageFeatures, LocationFeaturesConfig>("coverage",
                                                     "the sum of all previous weights (See 2017)"),
      kind<ConvolvedFeatures, LocationFeaturesConfig>("both", "convolved and coverage"),
      kind<FertilityFeatures, LocationFeaturesConfig>(
          "fertility", "previous weights over the fertility of each word (Tu 2016)"),
      kind<GruCoverageFeatures, LocationFeaturesConfig>(
          "gru_coverage", "coverage vector of each source word, updated by a GRU (Tu 2016)"),
  };
  return list;
}

}  // namespace

void LocationConfig::fields(Fields& f) {
  AdditiveConfig::fields(f);
  f.one_of("features", features, location_features(), "features of the previous attention weights");
}

void LocationConfig::check(const StageDims& dims, Problems& problems) const {
  AdditiveConfig::check(dims, problems);
  if (features->needs_order()) check_order(*this, dims, problems);
}

namespace kinds {
Kind<ScorerConfig> location() {
  return kind<LocationConfig, ScorerConfig>(
      "location",
      "additive, with features of the previous attention weights (location-aware: Chorowski 2015; "
      "coverage: Tu 2016, See 2017)");
}
}  // namespace kinds

}  // namespace heed
