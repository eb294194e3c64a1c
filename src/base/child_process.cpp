#include "base/child_process.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/interrupt.h"

namespace heed {

namespace {

constexpr int kNotStarted = 127;

// A part of the cores of this process; nullopt: all of them.
std::optional<cpu_set_t> part_of_cores(int64_t first, int64_t count) {
  cpu_set_t all, part;
  CPU_ZERO(&all);
  CPU_ZERO(&part);
  if (count == 0 || sched_getaffinity(0, sizeof(all), &all) != 0) return std::nullopt;
  int64_t number = 0;
  for (size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &all)) continue;
    if (number >= first && number < first + count) CPU_SET(core, &part);
    ++number;
  }
  return CPU_COUNT(&part) > 0 ? std::optional(part) : std::nullopt;
}

// In the child, between fork and exec: only functions that are safe there.
[[noreturn]] void become(char* const* words, int input, int output, pid_t parent,
                         const cpu_set_t* cores) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(kNotStarted);  // it has ended meanwhile
  if (cores != nullptr) sched_setaffinity(0, sizeof(*cores), cores);
  if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
      dup2(output, STDERR_FILENO) < 0)
    _exit(kNotStarted);
  execv("/proc/self/exe", words);
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
  const auto cores = part_of_cores(start.first_core, start.cores);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) throw_io_error(start.output, "start the process that would write it");
  if (process_ == 0)
    become(pointers.data(), input.number(), output.number(), parent, cores ? &*cores : nullptr);
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
