// The start of several processes: all come to a common store, then each connects to all others over
// Gloo. One that does not come, or is killed or stopped meanwhile, ends the start in all.
#pragma once

#include <memory>

#include "nn/torch.h"

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "distributed/launch.h"
#include "distributed/liveness.h"

namespace heed {

struct Met {
  c10::intrusive_ptr<c10d::Store> store;
  std::unique_ptr<Liveness> liveness;  // with a connection of its own
  c10::intrusive_ptr<c10d::Backend> group;
};

// Throws Error(kFailure) where for launch.meeting.patience no further process has come, with the
// numbers of those that are missing, and where one that had come is lost, with its name.
Met meet(const Launch& launch);

}  // namespace heed
