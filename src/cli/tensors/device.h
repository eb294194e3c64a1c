// Where a command computes, and with how many threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <torch/types.h>

namespace heed {

// auto, cpu, cuda or cuda:N. Throws Error(kUsage) if there is no such device.
torch::Device choose_device(const std::string& name);

// As many as were asked for, else one a core, or one on a GPU.
int64_t worker_count(std::optional<int64_t> workers, const torch::Device& device);

}  // namespace heed
