// Shares a loop between threads.
#pragma once

#include <exception>
#include <thread>
#include <vector>

namespace heed {

// Threads that are joined at the end, even if the system could not start all of them.
struct JoinedThreads {
  ~JoinedThreads() {
    for (std::thread& thread : list) thread.join();
  }
  std::vector<std::thread> list;
};

// Calls work(i) for every i below `count` on several threads. Rethrows the exception of a call.
template <class Work>
void share_work(size_t count, int threads, Work work) {
  std::vector<std::exception_ptr> errors(static_cast<size_t>(threads));
  const auto run = [&](size_t first) {
    try {
      for (size_t i = first; i < count; i += errors.size()) work(i);
    } catch (...) {
      errors[first] = std::current_exception();
    }
  };
  {
    JoinedThreads others;
    for (size_t t = 1; t < errors.size(); ++t) others.list.emplace_back(run, t);
    run(0);
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace heed
