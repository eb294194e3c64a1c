// Out-of-memory errors with advice.
#pragma once

#include <exception>

#include "base/error.h"

namespace heed {

// Whether libtorch or the C++ library throws this exception when memory is exhausted.
bool is_out_of_memory(const std::exception& error);

// Calls work(). If memory is exhausted, throws Error(kFailure) with what(), which names the task
// and what needs less memory.
template <class What, class Work>
auto with_memory_for(What what, Work work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    if (!is_out_of_memory(error)) throw;
    throw_error(ErrorKind::kFailure, "out of memory: {}", what());
  }
}

}  // namespace heed
