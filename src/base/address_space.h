// The limit of `ulimit -v`.
#pragma once

#include <string>

namespace heed {

// Bytes that this process may map; infinity without a limit.
double address_space_limit();
// For the end of a message of exhausted memory: "; this needs more than the 419.4 MB of address space
// that `ulimit -v` allows", or "" without a limit.
std::string address_space_advice();

}  // namespace heed
