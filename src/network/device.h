// Device on which a command computes.
#pragma once

#include <string>

#include <torch/types.h>

namespace heed {

// name: auto, cpu, cuda or cuda:N. local_rank: rank among the processes of this host; auto and cuda
// give each process a different GPU. Throws Error(kUsage) if the device does not exist.
torch::Device choose_device(const std::string& name, int64_t local_rank = 0);

}  // namespace heed
