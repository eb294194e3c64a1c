#include "python/calls.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace heed::python {

namespace {

// All are changed with the lock of the interpreter.
std::vector<StopFlag*>& calls() {
  static std::vector<StopFlag*> all;
  return all;
}
bool has_ended = false;

}  // namespace

Call::Call(StopFlag& stop) : stop_(stop) {
  if (has_ended) throw Error(ErrorKind::kFailure, "the interpreter ends");
  calls().push_back(&stop);
}

Call::~Call() { std::erase(calls(), &stop_); }

void end_calls() {
  constexpr std::chrono::milliseconds kPause(5);
  has_ended = true;
  for (StopFlag* stop : calls()) *stop = true;
  while (!calls().empty()) {
    const nanobind::gil_scoped_release unlocked;
    std::this_thread::sleep_for(kPause);
  }
}

void warn(const std::vector<std::string>& messages) {
  constexpr int kCallerOfThePackage = 2;
  for (const std::string& message : messages) {
    if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), kCallerOfThePackage) != 0)
      throw nanobind::python_error();
  }
}

}  // namespace heed::python
