// Settings of the normalizer monotonic (monotonic.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct MonotonicConfig final : NormalizerConfig {
  enum class Search { kHard, kExpected };
  std::optional<double> offset = -1;
  double noise = 1;
  Search search = Search::kHard;
  std::optional<int64_t> chunk;
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
  bool needs_history() const override { return true; }
  bool reads_ahead() const override { return search == Search::kHard; }
  bool expects_normalized_energy() const override { return true; }
};

}  // namespace heed
