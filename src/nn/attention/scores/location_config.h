// Settings of the score location (location.h).
#pragma once

#include "nn/attention/scores/additive_config.h"

namespace heed {

// `features:` of the score.
struct LocationFeaturesConfig : KindSettings {
  // True if it uses neighbouring keys, which need an order.
  virtual bool needs_order() const { return false; }
};

// `convolved` and `both`.
struct ConvolvedFeatures final : LocationFeaturesConfig {
  int64_t filters = 10, kernel = 31;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  bool needs_order() const override { return true; }
};

struct FertilityFeatures final : LocationFeaturesConfig {
  double most = 2;
  void fields(Fields& f) override;
};

struct GruCoverageFeatures final : LocationFeaturesConfig {
  int64_t width = 10;
  void fields(Fields& f) override;
};

struct LocationConfig final : AdditiveConfig {
  std::shared_ptr<LocationFeaturesConfig> features = make_kind<ConvolvedFeatures>("convolved");
  bool needs_history() const override { return true; }
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
};

}  // namespace heed
