// How a signal ends work that is done batch by batch and writes whole files at its end.
#pragma once

namespace heed {

// What stop_if_interrupted() throws.
struct Stopped {
  int signal;
};

// Between two batches.
void stop_if_interrupted();
// Ends the line of progress and says that nothing was written. Returns the exit code.
int leave_unwritten(const Stopped& stopped);
// The same for work that the same command continues.
int leave_continuable(const Stopped& stopped);

}  // namespace heed
