// Tests of a GPU are skipped, or not instantiated, if there is none.
#pragma once

#include <ATen/Context.h>

namespace heed {

inline bool has_gpu() { return at::getNumGPUs() > 0; }

}  // namespace heed
