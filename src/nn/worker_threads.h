// What threads that compute beside each other need of libtorch.
#pragma once

namespace heed {

// Stands where they are started, before they are, until each of them has entered.
class WorkerThreads {
 public:
  WorkerThreads();
  ~WorkerThreads();  // the caller computes with as many threads as before
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  // Called first in each of them: it computes with one thread, and denormal numbers are zero.
  static void enter();

 private:
  int threads_before_;
};

}  // namespace heed
