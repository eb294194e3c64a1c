#include "nn/attention/fast/fast_path.h"

#include <utility>

namespace heed {

std::vector<std::unique_ptr<FastPath>> make_fast_paths(const StagedConfig& config,
                                                       const StageDims& dims) {
  std::vector<std::unique_ptr<FastPath>> paths;
  if (auto fused = make_fused_path(config, dims)) paths.push_back(std::move(fused));
  if (auto banded = make_banded_path(config, dims)) paths.push_back(std::move(banded));
  if (auto read_ahead = make_read_ahead_path(config)) paths.push_back(std::move(read_ahead));
  return paths;
}

}  // namespace heed
