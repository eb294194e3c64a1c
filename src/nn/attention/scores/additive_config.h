// Settings of the scores additive and concat (additive.h).
#pragma once

#include "nn/attention/scores/hidden_width_config.h"
#include "nn/attention/stage_config.h"

namespace heed {

struct AdditiveConfig : ScorerConfig, HiddenWidthNote {
  int64_t hidden = 512;
  bool normalize = false;
  bool layer_norm = false;
  void fields(Fields& f) override;
  void check(const StageDims& dims, Problems& problems) const override;
  int64_t width_of_heads(const StageDims&) const override { return hidden; }
  bool has_plain_energy() const override { return !normalize && !layer_norm; }
};

}  // namespace heed
