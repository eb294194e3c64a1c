// Handling of signals for work that is done batch by batch and writes whole files at its end.
#pragma once

namespace heed {

// Exception of stop_if_interrupted().
struct Stopped {
  int signal;
};

// Throws Stopped after a signal; called between two batches.
void stop_if_interrupted();
// Ends the progress line and says that nothing was written. Returns the exit code.
int report_unwritten(const Stopped& stopped);
// The same for work that the same command can continue.
int report_continuable(const Stopped& stopped);

}  // namespace heed
