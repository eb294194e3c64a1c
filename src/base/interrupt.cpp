#include "base/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <utility>

namespace heed {

namespace {

constexpr int64_t kSecond = 1'000'000'000;  // ns

volatile std::sig_atomic_t caught = 0;
volatile int64_t caught_at = 0;  // ns
const char* last_words = "";
bool is_terminal = false;
std::function<bool()> stop_function;

void write_words(const char* words) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words, strlen(words));
}

int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

void on_signal(int signal) {
  if (caught == 0) {
    caught_at = now();
    caught = signal;
    return;
  }
  if (now() - caught_at < kSecond) return;
  write_words("heed: a second signal; ended at once\n");
  // Delivered, with its usual effect, as soon as this handler returns.
  std::signal(signal, SIG_DFL);
  std::raise(signal);
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

void exit_on_signals(const char* message) {
  last_words = message;
  is_terminal = isatty(STDERR_FILENO) == 1;
  handle(leave);
}

void catch_signals() { handle(on_signal); }

int caught_signal() {
  if (caught == 0 && stop_function && stop_function()) caught = SIGINT;
  return caught;
}

void set_caught_signal(int signal) { caught = signal; }

StopIf::StopIf(std::function<bool()> function) {
  caught = 0;
  stop_function = std::move(function);
}

StopIf::~StopIf() {
  stop_function = nullptr;
  caught = 0;
}

int exit_code_of(int signal) {
  constexpr int kSignalBase = 128;
  return kSignalBase + signal;
}

void ignore_closed_pipes() { std::signal(SIGPIPE, SIG_IGN); }

}  // namespace heed
