#include "base/child_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/system/system.h"

namespace heed {

namespace {

constexpr int kNotStarted = 127;

// In the child, between fork and exec: only functions that are safe there.
[[noreturn]] void become(const char* program, char* const* words, int input, int output,
                         pid_t parent, const CoreSet& cores) {
  end_with_parent();
  if (getppid() != parent) _exit(kNotStarted);  // it has ended meanwhile
  cores.bind();
  if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
      dup2(output, STDERR_FILENO) < 0)
    _exit(kNotStarted);
  execv(program, words);
  _exit(kNotStarted);
}

}  // namespace

ChildProcess::ChildProcess(const ChildStart& start) {
  std::vector<std::string> words{"heed"};
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const Descriptor input = Descriptor::open_to_write("/dev/null", O_RDWR),
                   output = Descriptor::open_to_write(start.output, O_CREAT | O_TRUNC);
  output.try_lock();  // until the child has ended too: it shares the descriptor
  const CoreSet cores(start.first_core, start.cores);
  const std::string program = own_program_to_start();
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) throw_io_error(start.output, "start the process that would write it");
  if (process_ == 0)
    become(program.c_str(), pointers.data(), input.number(), output.number(), parent, cores);
}

ChildProcess::~ChildProcess() {
  if (ended_ || process_ < 0) return;
  send(SIGTERM);
  retried([&] { return waitpid(process_, nullptr, 0); });
}

bool ChildProcess::has_ended() {
  int status = 0;
  if (ended_ || retried([&] { return waitpid(process_, &status, WNOHANG); }) != process_)
    return ended_;
  ended_ = true;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : exit_code_of(WTERMSIG(status));
  return true;
}

void ChildProcess::send(int signal) const {
  if (!ended_) kill(process_, signal);
}

}  // namespace heed
