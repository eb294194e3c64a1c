// The whole program but its start: what main() calls, and a test that starts it many times.
#pragma once

namespace heed {

// Returns the exit code. The only place that catches errors.
int run_program(int argc, char** argv);

}  // namespace heed
