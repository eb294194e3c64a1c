// Calls of the library while other threads of Python go on, and signals such as Ctrl-C are noticed.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <vector>

namespace heed::python {

// Becomes true when an exception of a signal waits.
using StopFlag = std::atomic<bool>;

// Runs `work` in a thread without the lock of the interpreter. Throws what it throws, or the
// exception of a signal, once `work` has returned.
template <class Work>
auto run_unlocked(const Work& work, StopFlag& stop) {
  const nanobind::gil_scoped_release unlocked;
  auto result = std::async(std::launch::async, work);
  constexpr std::chrono::milliseconds kPause(50);
  while (result.wait_for(kPause) != std::future_status::ready) {
    const nanobind::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() == 0) continue;
    stop = true;
    nanobind::python_error interrupted;
    {
      const nanobind::gil_scoped_release waiting;
      result.wait();
    }
    throw interrupted;
  }
  return result.get();
}

// Raises a UserWarning each, where Python calls the package.
void warn(const std::vector<std::string>& messages);

}  // namespace heed::python
