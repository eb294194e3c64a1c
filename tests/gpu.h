// Whether tests of a GPU can run: they are skipped, or not there, where none is.
#pragma once

#include <ATen/Context.h>

namespace heed {

inline bool has_gpu() { return at::getNumGPUs() > 0; }

}  // namespace heed
