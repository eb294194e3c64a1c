// Threads that compute in parallel. If there are several, each uses one thread of libtorch.
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
  // size 1: no thread is started, and the calling thread computes. Throws Error(kFailure) if the
  // system cannot start more threads.
  explicit WorkerTeam(int64_t size);
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  int64_t size() const { return members_.empty() ? 1 : std::ssize(members_); }
  // Calls job(i) in the i-th thread, for each thread, and waits for all. Then throws the exception
  // of the first thread that has one. Called by one thread at a time, and not by a job.
  void run(const std::function<void(size_t)>& job);

 private:
  struct Member {
    std::thread thread;
    std::exception_ptr failure;
  };
  void stop();  // stops and joins all threads that were started
  void serve(size_t index);
  void wait();

  std::vector<Member> members_;  // empty: the calling thread computes
  const std::function<void(size_t)>* job_ = nullptr;

  std::mutex mutex_;  // guards the members below
  std::condition_variable begin_, done_;
  int64_t round_ = 0;
  size_t busy_ = 0;
  bool stopping_ = false;
};

}  // namespace heed
