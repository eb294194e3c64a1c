// Work of several processes that ends in all of them if it fails in one.
#pragma once

#include <exception>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "distributed/reducer.h"

namespace heed {

// Calls work() in each process, and returns once all have finished it. A process whose work() threw
// rethrows that exception. The others throw Interrupted if work() was interrupted, and
// Error(kFailure) if it failed.
template <class Work>
void together(Reducer& reducer, const Work& work) {
  std::exception_ptr failure;
  bool is_error = false;
  try {
    work();
  } catch (const Interrupted&) {
    failure = std::current_exception();
  } catch (...) {
    failure = std::current_exception();
    is_error = true;
  }
  if (!reducer.any(failure != nullptr)) return;
  const bool has_error = reducer.any(is_error);
  if (failure && is_error == has_error) std::rethrow_exception(failure);
  if (!has_error) throw Interrupted();
  throw_error(ErrorKind::kFailure,
              "process {} of {}: another process failed, and says why; training ends in all, and "
              "can be resumed from the last checkpoint (--resume)",
              reducer.rank(), reducer.processes());
}

// Indices, out of `count`, of this process: every p-th, starting at its rank.
inline std::vector<size_t> share_of(size_t count, const Reducer& reducer) {
  std::vector<size_t> own;
  const auto step = static_cast<size_t>(reducer.processes());
  for (auto i = static_cast<size_t>(reducer.rank()); i < count; i += step) own.push_back(i);
  return own;
}

// Threads of this process and the other processes, which share the work.
struct Parallelism {
  int64_t workers = 1;
  Reducer& processes;
};

}  // namespace heed
