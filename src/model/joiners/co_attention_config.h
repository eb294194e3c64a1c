// Settings of the joiner co_attention (co_attention.cpp).
#pragma once

#include "model/joiner_config.h"
#include "nn/attention/staged_config.h"

namespace heed {

struct CoAttentionConfig final : JoinerConfig {
  enum class Grain { kFine, kCoarse };
  enum class Order { kParallel, kInTurn };
  enum class Aggregate { kSum, kMean };
  Grain grain = Grain::kFine;
  Order order = Order::kParallel;
  Aggregate aggregate = Aggregate::kSum;
  int64_t hidden = 200, layers = 2;
  int64_t compared = 0;        // width of G; 0: that of the states
  int64_t summary_layers = 0;  // of H
  double dropout = 0;
  std::shared_ptr<AttentionConfig> attention = StagedConfig::with("dot", 1);
  void fields(Fields& f) override;
  void check(const AllSourceDims& sources, Problems& problems) const override;
  AllSourceDims dims(const AllSourceDims& sources) const override;

  // Dimensions of the attention between states of this width.
  AttentionDims attention_dims(int64_t width) const;
  // Width of G over states of this width.
  int64_t compared_width(int64_t width) const { return compared > 0 ? compared : width; }
};

}  // namespace heed
