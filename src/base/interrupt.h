// Ctrl-C and SIGTERM as a flag: work that can save asks it between two steps. A second signal ends
// the process at once.
#pragma once

namespace heed {

void catch_signals();
// The signal that has arrived, or 0.
int caught_signal();
// For tests: as if it had arrived; 0 clears.
void set_caught_signal(int signal);

}  // namespace heed
