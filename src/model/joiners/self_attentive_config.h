// Settings of the joiner self_attentive (self_attentive.cpp).
#pragma once

#include "model/joiner_config.h"

namespace heed {

// `pool:`, rows of the states of a sentence.
struct PoolConfig : KindSettings {
  virtual int64_t count() const { return 1; }
  // Width of a row of states of this width.
  virtual int64_t row_width(int64_t width) const { return width; }
  virtual double penalty_weight() const { return 0; }
};

struct RowsConfig final : PoolConfig {
  int64_t rows = 4, hidden = 128;
  double penalty = 1;
  void fields(Fields& f) override;
  int64_t count() const override { return rows; }
  double penalty_weight() const override { return penalty; }
};

struct SourceToTokenConfig final : PoolConfig {
  int64_t hidden = 128;
  bool layer_norm = false;
  bool with_max = false;
  void fields(Fields& f) override;
  int64_t row_width(int64_t width) const override { return with_max ? 2 * width : width; }
};

struct SelfAttentiveConfig final : JoinerConfig {
  enum class Start { kRows, kEncoder, kMatched };
  std::shared_ptr<PoolConfig> pool;
  Start start = Start::kRows;
  SelfAttentiveConfig();
  void fields(Fields& f) override;
  void check(const AllSourceDims& sources, Problems& problems) const override;
  AllSourceDims dims(const AllSourceDims& sources) const override;
};

}  // namespace heed
