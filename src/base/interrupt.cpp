#include "base/interrupt.h"

#include <csignal>

namespace heed {

namespace {

volatile std::sig_atomic_t caught = 0;

void on_signal(int signal) {
  if (caught != 0) {
    // Delivered, with its usual effect, as soon as this handler returns.
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  caught = signal;
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int caught_signal() { return caught; }

void set_caught_signal(int signal) { caught = signal; }

}  // namespace heed
