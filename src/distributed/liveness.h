// Notices that a process has died or hangs. Each process raises a counter in the common store every
// few seconds; process 0 looks at all counters and names the one that stands still, the others look
// at that of process 0. c10d alone notices a closed connection at once, but
// knows only an address. It notices a process that hangs by the time limit of a collective, which
// would also end waits for a checkpoint or a test set.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "distributed/launch.h"

#include <torch/csrc/distributed/c10d/Store.hpp>

namespace heed {

// Time limit of a collective, which would name no process: this class notices what does not answer.
constexpr std::chrono::hours kCollective{24};

class Liveness {
 public:
  // store: of this object alone, because a request may wait for an answer that never comes.
  Liveness(const Launch& launch, c10::intrusive_ptr<c10d::Store> store);
  // Tells the others that this process ends; `failed`: by an error, which ends them too.
  void leave(bool failed);
  ~Liveness();
  Liveness(const Liveness&) = delete;
  Liveness& operator=(const Liveness&) = delete;

  // Names the process that is lost, once one is: "process 3 (host gpu2, pid 4711) …".
  std::optional<std::string> lost() const;
  // The same, waiting until one is found, for a little longer than that can take.
  std::optional<std::string> wait_for_lost() const;

 private:
  class Watch;  // shared with the thread, which outlives this where the store does not answer
  std::shared_ptr<Watch> watch_;
};

}  // namespace heed
