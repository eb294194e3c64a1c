// Ctrl-C, SIGTERM and SIGHUP (the terminal is closed). Work that can save treats a signal as a flag
// and checks it between two steps. A second signal ends the process at once, unless it follows
// within a second: shells and supervisors send several. A signal that is ignored when the process
// starts stays ignored, such as SIGHUP under nohup and SIGINT under `sh -c 'command &'`.
#pragma once

#include <functional>

namespace heed {

// For work that has nothing to save yet: a signal writes this line to stderr and ends the process
// at once, with the exit code of the signal. `message` has to outlive the process.
void exit_on_signals(const char* message);
// Makes signals set a flag from now on.
void catch_signals();
// The signal that has arrived, or 0.
int caught_signal();
// Sets the flag without a signal, for tests; 0 clears it.
void set_caught_signal(int signal);

// Makes caught_signal() SIGINT once the function has returned true, until the object is destroyed. A
// program that catches no signals stops work in this way. The function may be called from several
// threads.
class StopIf {
 public:
  explicit StopIf(std::function<bool()> function);
  ~StopIf();
  StopIf(const StopIf&) = delete;
  StopIf& operator=(const StopIf&) = delete;
};

// Thrown by work that ends early because a signal has arrived, here or in another process.
struct Interrupted {};

// The exit code of a process that a signal ended: 129, 130, 143.
int exit_code_of(int signal);

// Makes writing to a pipe without a reader fail instead of ending the process.
void ignore_closed_pipes();

}  // namespace heed
