// Where a command computes.
#pragma once

#include <string>

#include <torch/types.h>

namespace heed {

// auto, cpu, cuda or cuda:N. local_rank: of several processes of this host; auto and cuda give each
// its own GPU. Throws Error(kUsage) if there is no such device.
torch::Device choose_device(const std::string& name, int64_t local_rank = 0);

}  // namespace heed
