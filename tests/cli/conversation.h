// A program that is talked to line by line, over a pipe or as if typed at a terminal.
#pragma once

#include <poll.h>
#include <stdlib.h>

#include "cli/program.h"

namespace heed {

class Conversation {
 public:
  Conversation(const Arguments& arguments, const std::string& folder, bool terminal = false)
      : terminal_(terminal) {
    record_run(arguments);
    HEED_CHECK(pipe(from_) == 0);
    if (terminal) {
      to_[1] = posix_openpt(O_RDWR | O_NOCTTY);
      HEED_CHECK(to_[1] >= 0 && grantpt(to_[1]) == 0 && unlockpt(to_[1]) == 0);
      to_[0] = open(ptsname(to_[1]), O_RDWR | O_NOCTTY);
    } else {
      HEED_CHECK(pipe(to_) == 0);
    }
    Arguments words = joined({program_path()}, arguments);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ == 0) {
      dup2(to_[0], 0);
      dup2(from_[1], 1);
      for (int end : {to_[0], to_[1], from_[0], from_[1]}) close(end);
      if (chdir(folder.c_str()) == 0) execv(argv[0], argv.data());
      _exit(127);
    }
    close(to_[0]);
    close(from_[1]);
  }
  std::string answer(const std::string& line) const {
    HEED_CHECK(write(to_[1], line.data(), line.size()) == static_cast<ssize_t>(line.size()));
    std::string text;
    for (char c = 0; c != '\n' && has_come() && read(from_[0], &c, 1) == 1;) text += c;
    return text;
  }
  int end() const {
    constexpr char kEndOfInput = 4;  // Ctrl-D, as a terminal has it
    if (terminal_) HEED_CHECK(write(to_[1], &kEndOfInput, 1) == 1);
    if (!terminal_) close(to_[1]);
    int status = 0;
    waitpid(process_, &status, 0);
    if (terminal_) close(to_[1]);
    close(from_[0]);
    return WEXITSTATUS(status);
  }

 private:
  bool has_come() const {
    constexpr int kMilliseconds = 60'000;
    pollfd waiting{.fd = from_[0], .events = POLLIN, .revents = 0};
    return poll(&waiting, 1, kMilliseconds) == 1;
  }
  bool terminal_;
  int to_[2], from_[2];
  pid_t process_;
};

}  // namespace heed
