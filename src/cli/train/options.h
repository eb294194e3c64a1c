// Options of `heed train`.
#pragma once

#include "run/run_spec.h"

namespace heed {

struct TrainOptions {
  static constexpr const char* kEntry = "heed_train";  // of the library with tensors
  RunRequest request{};
  bool dry_run = false;
};

}  // namespace heed
