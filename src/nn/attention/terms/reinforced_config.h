// Settings of the term reinforced (reinforced.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct ReinforcedConfig final : TermConfig {
  int64_t warmup = 1000;
  double penalty = 0.01;
  void fields(Fields& f) override;
  bool needs_all_queries() const override { return true; }
  // A token is selected by the whole sentence.
  bool sees_unread() const override { return true; }
  void check(const StageDims& dims, Problems& problems) const override;
};

}  // namespace heed
