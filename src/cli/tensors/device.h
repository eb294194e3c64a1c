// Where a command computes.
#pragma once

#include <string>

#include <torch/types.h>

namespace heed {

// auto, cpu, cuda or cuda:N. Throws Error(kUsage) if there is no such device.
torch::Device choose_device(const std::string& name);

}  // namespace heed
