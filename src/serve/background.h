// A thread that does what the thread of the server must not wait for, one thing after another.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace heed {

class Background {
 public:
  // capacity: tasks that wait.
  explicit Background(size_t capacity) : capacity_(capacity), thread_([this] { work(); }) {}
  ~Background();  // once all tasks are done
  // False if too many tasks wait. A task must not throw, and is destroyed in the thread.
  bool add(std::function<void()> task);

 private:
  void work();

  const size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool has_ended_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace heed
