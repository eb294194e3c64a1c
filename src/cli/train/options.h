// Options of `heed train`.
#pragma once

#include "run/run_spec.h"

namespace heed {

struct TrainOptions {
  static constexpr const char* kEntry = "heed_train";  // of the library with tensors
  RunRequest request{};
  bool resume = false, resume_or_new = false, overwrite = false;  // request.start
  bool dry_run = false;
};

}  // namespace heed
