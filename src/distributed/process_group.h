// Several processes that train one model, over the process groups of libtorch (c10d): with NCCL for
// tensors of GPUs where each process has one of its own, else with Gloo through the memory of the
// host.
#pragma once

#include <memory>

#include "distributed/launch.h"
#include "distributed/reducer.h"

namespace heed {

// Waits until all processes are there. Each gets the sum of a tensor from parts: process r adds up
// the r-th part of all, in the order of the ranks, and sends it to the others; so 2 (p - 1) / p of
// the tensor's bytes leave each process, as with a ring, and all get the same bits.
//
// Throws Error(kFailure) where processes do not meet within the time, and from each operation where
// a process is lost (liveness.h), with its name. OneProcess for one.
std::unique_ptr<Reducer> join_processes(const Launch& launch);
// The same over the process groups for one process too, which tests need who have one GPU.
std::unique_ptr<Reducer> process_group(const Launch& launch);

}  // namespace heed
