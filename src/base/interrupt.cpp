#include "base/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstring>
#include <initializer_list>

namespace heed {

namespace {

volatile std::sig_atomic_t caught = 0;
const char* last_words = "";
bool is_terminal = false;

void write_words(const char* words) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words, strlen(words));
}

void on_signal(int signal) {
  if (caught != 0) {
    // Delivered, with its usual effect, as soon as this handler returns.
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  caught = signal;
}

void leave(int signal) {
  if (is_terminal) write_words("\r\x1b[2K");  // a progress line, and the ^C behind it
  write_words(last_words);
  _exit(exit_code_of(signal));
}

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

}  // namespace

void leave_on_signals(const char* message) {
  last_words = message;
  is_terminal = isatty(STDERR_FILENO) == 1;
  handle(leave);
}

void catch_signals() { handle(on_signal); }

int caught_signal() { return caught; }

void set_caught_signal(int signal) { caught = signal; }

int exit_code_of(int signal) {
  constexpr int kSignalBase = 128;
  return kSignalBase + signal;
}

void survive_closed_pipes() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace heed
