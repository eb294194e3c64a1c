// Amounts of memory.
#pragma once

#include <new>
#include <string>

#include "base/address_space.h"
#include "base/error.h"

namespace heed {

// Maximum number of bytes that this process can use: the memory of the machine, or less if a
// control group or `ulimit -v` allows less.
double machine_memory();
// Resident memory of this process in bytes.
double resident_memory();

// "812.0 MB", "23.5 GB": powers of 1000.
std::string format_bytes(double bytes);

// Calls work(). If memory is exhausted (std::bad_alloc), throws Error(kFailure) with the text of
// what(), which names the task and the settings that reduce its memory.
template <class What, class Work>
auto with_memory_for(What what, Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw_error(ErrorKind::kFailure, "out of memory: {}{}", what(), address_space_advice());
  }
}

}  // namespace heed
