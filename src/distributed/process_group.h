// Several processes that train one model, over the process groups of libtorch (c10d). Tensors on
// GPUs are exchanged with NCCL if each process has a GPU to itself, all others with Gloo through
// host memory.
#pragma once

#include <memory>

#include "distributed/launch.h"
#include "distributed/reducer.h"

namespace heed {

// Waits until all processes have come. A sum is computed in parts: process r adds up the r-th part
// of all tensors, in the order of the ranks, and sends it to the others. So 2 (p - 1) / p of the
// tensor's bytes leave each process, as with a ring, and all processes get the same bits.
//
// Throws Error(kFailure) if the processes do not meet in time. Each operation throws it, with the
// process's name, if a process is lost (liveness.h). OneProcess for one.
std::unique_ptr<Reducer> join_processes(const Launch& launch);
// Uses the process groups for one process too; for tests on one GPU.
std::unique_ptr<Reducer> process_group(const Launch& launch);

}  // namespace heed
