// Settings of linear attention (linear.cpp, linformer.cpp).
#pragma once

#include <optional>

#include "nn/attention/stage_config.h"

namespace heed {

// `features:`
struct FeaturesConfig : KindSettings {
  virtual bool needs_whole_sentence() const { return false; }
};

struct PerformerFeatures final : FeaturesConfig {
  enum class Draw { kByHead, kShared };
  std::optional<int64_t> random_features;  // M
  Draw draw = Draw::kByHead;
  int64_t redraw = 1000;  // updates between two draws; 0: drawn only once
  void fields(Fields& f) override;
  // Θ(D log D), as in the error bound of the paper's theorem 4.
  int64_t count(int64_t width) const;
};

struct LinformerFeatures final : FeaturesConfig {
  int64_t slots = 64;            // length after projection
  int64_t max_positions = 1024;  // columns of the projections; later positions share the last
  void fields(Fields& f) override;
  bool needs_whole_sentence() const override { return true; }
};

const Registry<FeaturesConfig>& feature_maps();

struct LinearConfig final : AttentionConfig {
  std::shared_ptr<FeaturesConfig> features = fresh_kind(feature_maps(), "elu");
  std::optional<int64_t> heads;  // default: 8 inside a Transformer block, else 1
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  int64_t context_width(const AttentionDims& dims) const override;
  int64_t weight_heads(const AttentionDims& dims) const override {
    return heads_or_default(heads, dims);
  }
};

}  // namespace heed
