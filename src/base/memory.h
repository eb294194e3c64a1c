// How much memory there is.
#pragma once

#include <string>

namespace heed {

// Bytes that this process can use at most: what the machine has, or less where a container or
// `ulimit -v` allows less.
double machine_memory();

// "812.0 MB", "23.5 GB": powers of 1000.
std::string format_bytes(double bytes);

}  // namespace heed
