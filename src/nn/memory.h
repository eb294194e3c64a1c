// Work that may need more memory than there is, by name.
#pragma once

#include <exception>

#include "base/error.h"

namespace heed {

// Whether this is what libtorch, or the C++ library, throws where memory is not enough.
bool is_out_of_memory(const std::exception& error);

// Does the work. Where memory is not enough for it, throws Error(kFailure) with what() it was, which
// says what needs less.
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
