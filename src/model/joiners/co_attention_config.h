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
  double dropout = 0;
  std::shared_ptr<AttentionConfig> attention = StagedConfig::with("dot", 1);
  void fields(Fields& f) override;
  void check(const AllSourceDims& sources, Problems& problems) const override;
  AllSourceDims dims(const AllSourceDims& sources) const override;

  // Dimensions of the attention between states of this width.
  AttentionDims attention_dims(int64_t width) const;
};

}  // namespace heed
