// Settings of `type: hops` (hops.cpp).
#pragma once

#include "nn/attention/rereading_config.h"

namespace heed {

struct HopsConfig final : RereadingConfig {
  int64_t hops = 3;
  void fields(Fields& f) override;
};

}  // namespace heed
