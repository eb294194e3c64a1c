// With how many threads a command decodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <thread>

namespace heed {

// As many as were asked for, else one a core, or one on a GPU.
inline int64_t worker_count(std::optional<int64_t> workers, bool on_gpu) {
  if (workers) return *workers;
  const auto cores = static_cast<int64_t>(std::thread::hardware_concurrency());
  return on_gpu ? 1 : std::max<int64_t>(1, cores);
}

}  // namespace heed
