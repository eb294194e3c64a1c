// Settings of libtorch for threads that compute concurrently.
#pragma once

namespace heed {

// Constructed before the threads are started; lives until each of them has called enter().
class WorkerThreads {
 public:
  WorkerThreads();
  ~WorkerThreads();  // restores the caller's number of threads
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  // Called first in each thread: computes with one thread, and flushes denormal numbers to zero.
  static void enter();

 private:
  int threads_before_;
};

}  // namespace heed
