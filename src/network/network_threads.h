// Threads in which networks of libtorch decode concurrently.
#pragma once

#include "nn/worker_threads.h"
#include "search/engine.h"

namespace heed {

class NetworkThreads final : public DecodingThreads {
 public:
  void enter() const override { WorkerThreads::enter(); }

 private:
  WorkerThreads scope_;
};

}  // namespace heed
