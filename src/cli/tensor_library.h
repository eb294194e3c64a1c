// The door to everything that needs libtorch: a shared library that is opened when the first such
// command runs, so that
// --help, --version and `heed evaluate` start at once.
#pragma once

#include "cli/options.h"

namespace heed {

// Runs the command and returns its exit code. What goes wrong is thrown as anywhere else;
// Error(kFailure) if this installation has no such library.
int run_with_tensors(const TensorCommand& command);

}  // namespace heed

// What the library exports; run_with_tensors() is the only caller.
extern "C" int heed_run_with_tensors(const heed::TensorCommand& command);
