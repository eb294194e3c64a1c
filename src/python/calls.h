// Calls of the library while other threads of Python go on, and signals such as Ctrl-C are noticed.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <system_error>
#include <vector>

#include "heed/translator.h"

namespace heed::python {

// Becomes true when an exception of a signal waits, or the interpreter ends.
using StopFlag = std::atomic<bool>;

// A call at work, in a thread that will want the lock of the interpreter again.
class Call {
 public:
  // Throws Error(kFailure) once the interpreter ends.
  explicit Call(StopFlag& stop);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  StopFlag& stop_;
};

// Stops all calls and waits until they have returned: a thread that asks for the lock of an
// interpreter that has ended ends the process. For atexit.
void end_calls();

// std::async, or Error(kFailure) where the system gives no thread.
template <class Work>
auto in_a_thread(const Work& work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error& error) {
    throw Error(ErrorKind::kFailure, std::string("no thread could be started: ") + error.what());
  }
}

// Runs `work` in a thread without the lock of the interpreter. Throws what it throws, or the
// exception of a signal, once `work` has returned.
template <class Work>
auto run_unlocked(const Work& work, StopFlag& stop) {
  const Call call(stop);
  const nanobind::gil_scoped_release unlocked;
  auto result = in_a_thread(work);
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
