// Commands of the library with tensors. Each exports a function, whose name is kEntry of its
// options, and which calls run_tensor_command().
#pragma once

#include <functional>

namespace heed {

// Runs the command and returns its exit code. libtorch's own exceptions do not leave it. work: what
// ran out of memory, and how to use less.
int run_tensor_command(const std::function<int()>& command, const char* work);

}  // namespace heed
