// With how many threads a command decodes.
#pragma once

#include <cstdint>
#include <optional>

#include "base/host.h"

namespace heed {

// As many as were asked for, else one for each core that may be used, or one on a GPU.
inline int64_t worker_count(std::optional<int64_t> workers, bool on_gpu) {
  return workers ? *workers : on_gpu ? 1 : usable_cores();
}

}  // namespace heed
