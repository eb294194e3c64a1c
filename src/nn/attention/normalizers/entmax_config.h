// Settings of the normalizer entmax (entmax.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct EntmaxConfig final : NormalizerConfig {
  double alpha = 1.5;
  bool learned = true;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

}  // namespace heed
