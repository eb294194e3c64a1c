#include "base/other_program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/system/system.h"

extern char** environ;  // POSIX leaves this to the program

namespace heed {

MemoryFile::MemoryFile() : number_(open_in_memory()) {
  if (number_ < 0) throw_error(ErrorKind::kIo, "cannot create a file in memory");
}

MemoryFile::~MemoryFile() { close(number_); }

void MemoryFile::write(const std::string& text) const {
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(number_, text.data() + done, text.size() - done);
    if (count < 0) throw_error(ErrorKind::kIo, "cannot write a file in memory");
    done += static_cast<size_t>(count);
  }
  lseek(number_, 0, SEEK_SET);
}

std::string MemoryFile::read() const {
  std::string text(static_cast<size_t>(lseek(number_, 0, SEEK_END)), '\0');
  lseek(number_, 0, SEEK_SET);
  size_t done = 0;
  for (ssize_t count = 1; count > 0 && done < text.size();
       done += static_cast<size_t>(std::max<ssize_t>(count, 0)))
    count = ::read(number_, text.data() + done, text.size() - done);
  text.resize(done);
  return text;
}

int run_other_program(std::vector<std::string> words, const MemoryFile& in, const MemoryFile& out) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.number(), STDOUT_FILENO);
  pid_t process = -1;
  const int error =
      posix_spawnp(&process, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return kNotStarted;
  int status = 0;
  if (waitpid(process, &status, 0) != process) return kNotStarted;
  constexpr int kNotFound = 127;
  if (!WIFEXITED(status)) return 1;
  return WEXITSTATUS(status) == kNotFound ? kNotStarted : WEXITSTATUS(status);
}

}  // namespace heed
