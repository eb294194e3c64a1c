// Start of several processes: all connect to a common store, then each connects to all others over
// Gloo. If one does not come, or is killed or stopped meanwhile, the start fails in all processes.
#pragma once

#include <memory>

#include "nn/torch.h"

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "distributed/launch.h"
#include "distributed/liveness.h"

namespace heed {

struct JoinedProcesses {
  c10::intrusive_ptr<c10d::Store> store;
  std::unique_ptr<Liveness> liveness;  // with a connection of its own
  c10::intrusive_ptr<c10d::Backend> group;
};

// Throws Error(kFailure) if no further process comes for launch.meeting.patience, with the numbers
// of the missing processes. Throws it too if a process that had come is lost, with its name.
JoinedProcesses meet(const Launch& launch);

}  // namespace heed
