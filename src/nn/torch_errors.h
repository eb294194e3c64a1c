// Errors of libtorch as those that the rest of the program knows.
#pragma once

#include <exception>

namespace heed {

// Whether libtorch or the C++ library throws this exception when memory is exhausted.
bool is_out_of_memory(const std::exception& error);

// Throws std::bad_alloc if the exception being handled is libtorch's for exhausted memory,
// InternalError with its first line if it is another one of libtorch; else the exception itself.
[[noreturn]] void rethrow_known();

// Calls work(); its errors are those of rethrow_known().
template <class Work>
auto with_known_errors(Work work) {
  try {
    return work();
  } catch (...) {
    rethrow_known();
  }
}

}  // namespace heed
