#include "cli/tensors/device.h"

#include <ATen/Context.h>

#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

torch::Device choose_device(const std::string& name) {
  if (name == "cpu") return torch::kCPU;
  if (name == "auto") return at::hasCUDA() ? torch::kCUDA : torch::kCPU;
  torch::Device device(torch::kCPU);
  try {
    device = torch::Device(name);
  } catch (const c10::Error&) {
    throw_error(ErrorKind::kUsage, "device '{}': expected auto, cpu or cuda:N", name);
  }
  const auto count = static_cast<int64_t>(at::getNumGPUs());
  // Without a number, it is that of the first.
  if (!device.is_cuda() || std::max<int64_t>(0, device.index()) >= count) {
    throw_error(ErrorKind::kUsage, "device '{}': not available, {} GPUs found; use cpu or auto",
                name, count);
  }
  return device;
}

}  // namespace heed
