// Ctrl-C, SIGTERM and SIGHUP (the terminal is closed). Work that can save takes them as a flag and
// asks for it between two steps; another signal ends the process at once, unless it follows within a
// second: shells and supervisors send several. A signal that is ignored when the process starts, as
// SIGHUP by nohup and SIGINT by `sh -c 'command &'`, stays ignored.
#pragma once

namespace heed {

// For work that has nothing to save yet: a signal writes this line to stderr and ends the process
// at once, with the exit code of the signal. `message` has to outlive the process.
void leave_on_signals(const char* message);
// From now on a signal is a flag.
void catch_signals();
// The signal that has arrived, or 0.
int caught_signal();
// For tests: as if it had arrived; 0 clears.
void set_caught_signal(int signal);

// Thrown by work that ends early because a signal has arrived, here or in another process.
struct Interrupted {};

// The exit code of a process that a signal ended: 129, 130, 143.
int exit_code_of(int signal);

// Writing to a pipe that nobody reads any more fails instead of ending the process.
void survive_closed_pipes();

}  // namespace heed
