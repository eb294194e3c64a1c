// NCCL, for tensors that lie on GPUs of their own.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "nn/torch.h"

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "nn/tensor.h"

namespace heed {

// Names the GPU among those of all hosts; empty if the tensor is on none, or if heed was compiled
// without NCCL: with a libtorch for CPUs, or without the headers of CUDA and NCCL.
std::string gpu_of(const Tensor& tensor);

// Waits for nobody: processes meet in their first operation. Only where gpu_of() gives a name.
c10::intrusive_ptr<c10d::Backend> nccl(const c10::intrusive_ptr<c10d::Store>& store, int64_t rank,
                                       int64_t processes, std::chrono::milliseconds timeout);

}  // namespace heed
