// Threads that compute side by side, each with one thread of libtorch if they are several.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <mutex>
#include <thread>
#include <vector>

namespace heed {

class WorkerTeam {
 public:
  // 1: none of its own; the calling thread computes. Throws Error(kFailure) if the system has no
  // more threads.
  explicit WorkerTeam(int64_t size);
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  int64_t size() const { return members_.empty() ? 1 : std::ssize(members_); }
  // Calls job(i) in the i-th thread, for each of them, and waits for all; then throws what the first
  // of them has thrown. By one thread at a time, and not by a job.
  void run(const std::function<void(size_t)>& job);

 private:
  struct Member {
    std::thread thread;
    std::exception_ptr failure;
  };
  void stop();  // and wait for all threads that were started
  void serve(size_t index);
  void wait();

  std::vector<Member> members_;  // none: the calling thread
  const std::function<void(size_t)>* job_ = nullptr;

  std::mutex mutex_;  // of what follows
  std::condition_variable begin_, done_;
  int64_t round_ = 0;
  size_t busy_ = 0;
  bool stopping_ = false;
};

}  // namespace heed
