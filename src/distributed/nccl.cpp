#include "distributed/nccl.h"

#include "base/error.h"

#if defined(HEED_NCCL)
#define USE_C10D_NCCL  // libtorch is built with it
#include <ATen/cuda/CUDAContext.h>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>
#endif

namespace heed {

#if defined(HEED_NCCL)

std::string gpu_of(const Tensor& tensor) {
  if (!tensor.is_cuda()) return "";
  const auto& id = at::cuda::getDeviceProperties(tensor.get_device())->uuid;
  return {id.bytes, sizeof id.bytes};
}

c10::intrusive_ptr<c10d::Backend> nccl(const c10::intrusive_ptr<c10d::Store>& store, int64_t rank,
                                       int64_t processes, std::chrono::milliseconds timeout) {
  auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = timeout;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, static_cast<int>(rank),
                                                     static_cast<int>(processes), options);
}

#else

std::string gpu_of(const Tensor&) { return ""; }

c10::intrusive_ptr<c10d::Backend> nccl(const c10::intrusive_ptr<c10d::Store>&, int64_t, int64_t,
                                       std::chrono::milliseconds) {
  HEED_CHECK(false);
  return {};
}

#endif

}  // namespace heed
