// Converts errors of libtorch to error types of this program.
#pragma once

#include <exception>

namespace heed {

// True if libtorch or the C++ library throws this exception when memory is exhausted.
bool is_out_of_memory(const std::exception& error);

// Rethrows the exception that is being handled: as std::bad_alloc if it is libtorch's for exhausted
// memory, as InternalError with its first line if it is another one of libtorch, else unchanged.
[[noreturn]] void rethrow_known();

// Calls work(); handles its errors with rethrow_known().
template <class Work>
auto with_known_errors(Work work) {
  try {
    return work();
  } catch (...) {
    rethrow_known();
  }
}

}  // namespace heed
