// NCCL, for tensors on GPUs, with one GPU for each process.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "nn/torch.h"

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "nn/tensor.h"

namespace heed {

// Name of the GPU among those of all hosts. Empty if the tensor is not on a GPU, or if heed was
// compiled without NCCL: with a libtorch for CPUs, or without the headers of CUDA and NCCL.
std::string gpu_of(const Tensor& tensor);

// Does not wait for other processes: they meet in their first operation. gpu_of() has to give a
// name.
c10::intrusive_ptr<c10d::Backend> nccl(const c10::intrusive_ptr<c10d::Store>& store, int64_t rank,
                                       int64_t processes, std::chrono::milliseconds timeout);

}  // namespace heed
