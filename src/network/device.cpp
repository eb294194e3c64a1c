#include "network/device.h"

#include <ATen/Context.h>

#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

namespace {

torch::Device gpu_of(int64_t local_rank, int64_t count) {
  if (local_rank < count)
    return torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(local_rank));
  throw_error(ErrorKind::kUsage,
              "device: process {} of this host found {} GPUs; start one process for each GPU",
              local_rank, count);
}

}  // namespace

torch::Device choose_device(const std::string& name, int64_t local_rank) {
  if (name == "cpu") return torch::kCPU;
  const auto count = static_cast<int64_t>(at::getNumGPUs());
  if (name == "auto" && count == 0) return torch::kCPU;
  if (name == "auto" || (name == "cuda" && local_rank > 0)) return gpu_of(local_rank, count);
  torch::Device device(torch::kCPU);
  try {
    device = torch::Device(name);
  } catch (const c10::Error&) {
    throw_error(ErrorKind::kUsage, "device '{}': expected auto, cpu or cuda:N", name);
  }
  if (!device.is_cuda())
    throw_error(ErrorKind::kUsage, "device '{}': expected auto, cpu or cuda:N", name);
  // Without a number, it is that of the first.
  if (std::max<int64_t>(0, device.index()) >= count) {
    throw_error(ErrorKind::kUsage, "device '{}': not available, {} GPUs found; use cpu or auto",
                name, count);
  }
  return device;
}

}  // namespace heed
