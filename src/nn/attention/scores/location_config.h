// Settings of the score location (location.h).
#pragma once

#include "nn/attention/scores/additive_config.h"

namespace heed {

// `features:` of the score.
struct LocationFeatures : KindSettings {
  // True if it uses neighbouring keys, which need an order.
  virtual bool needs_order() const { return false; }
};

// `convolved` and `both`.
struct ConvolvedFeatures final : LocationFeatures {
  int64_t filters = 10, kernel = 31;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  bool needs_order() const override { return true; }
};

struct FertilityFeatures final : LocationFeatures {
  double most = 2;
  void fields(Fields& f) override;
};

struct GruCoverageFeatures final : LocationFeatures {
  int64_t width = 10;
  void fields(Fields& f) override;
};

struct LocationConfig final : AdditiveConfig {
  std::shared_ptr<LocationFeatures> features = make_kind<ConvolvedFeatures>("convolved");
  bool needs_history() const override { return true; }
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
};

}  // namespace heed
