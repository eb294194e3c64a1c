// Number of threads that decode.
#pragma once

#include <cstdint>
#include <optional>

#include "base/host.h"

namespace heed {

// The requested number, else one for each usable core, or one on a GPU.
inline int64_t worker_count(std::optional<int64_t> workers, bool on_gpu) {
  return workers ? *workers : on_gpu ? 1 : usable_cores();
}

}  // namespace heed
