// A process of the program, started by exec as users do, or forked by a process that has already
// opened libtorch. Forking saves a fifth of the time of these tests.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace heed {

// Arguments, files and environment of a new process.
struct ProgramStart {
  std::vector<std::string> words;  // the program and its arguments
  std::string in, out, err;        // files
  std::map<std::string, std::string> environment{};
  std::string folder{};                 // working directory
  rlim_t largest_file = RLIM_INFINITY;  // bytes
};

// Sets up the child process.
inline void enter(const ProgramStart& start) {
  const auto open_as = [](int number, const std::string& path, int flags) {
    const int file = open(path.c_str(), flags, 0600);
    if (file < 0 || dup2(file, number) < 0) _exit(127);
    if (file != number) close(file);
  };
  open_as(0, start.in, O_RDONLY);
  open_as(1, start.out, O_WRONLY | O_CREAT);
  open_as(2, start.err, O_WRONLY | O_CREAT);
  for (const auto& [name, value] : start.environment) setenv(name.c_str(), value.c_str(), 1);
  if (!start.folder.empty() && chdir(start.folder.c_str()) != 0) _exit(127);
  if (start.largest_file != RLIM_INFINITY) {
    const rlimit limit{start.largest_file, start.largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
}

inline std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

struct ProgramEnd {
  bool ended = false;
  int status = 0;           // of waitpid()
  int64_t peak_memory = 0;  // kB
};

inline ProgramEnd wait_for(pid_t process, bool block) {
  ProgramEnd end;
  rusage usage{};
  end.ended = wait4(process, &end.status, block ? 0 : WNOHANG, &usage) == process;
  end.peak_memory = usage.ru_maxrss;
  return end;
}

// Requests to the forking process, a packet each: 's' and a ProgramStart, answered by the process
// id; 'w' (blocking) or 'p' and a process id, answered by its ProgramEnd.
constexpr size_t kLargestRequest = 100'000;  // bytes

inline std::string packed(const ProgramStart& start) {
  std::string text = "s";
  const auto add = [&](const std::string& field) { text += field + '\0'; };
  for (const std::string& field : {start.in, start.out, start.err, start.folder}) add(field);
  add(std::to_string(start.largest_file));
  for (const std::string& word : start.words) add(word);
  return text;
}

inline ProgramStart unpacked(const std::string& request) {
  std::vector<std::string> fields;
  for (size_t at = 1; at < request.size();) {
    const size_t end = request.find('\0', at);
    fields.push_back(request.substr(at, end - at));
    at = end + 1;
  }
  return {.words = {fields.begin() + 5, fields.end()},
          .in = fields[0],
          .out = fields[1],
          .err = fields[2],
          .folder = fields[3],
          .largest_file = std::stoull(fields[4])};
}

// The process that forks; it ends with this process.
class ForkingProgram {
 public:
  explicit ForkingProgram(const std::string& path) {
    std::array<int, 2> ends{};
    HEED_CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0);
    socket_ = ends[0];
    const pid_t process = fork();
    HEED_CHECK(process >= 0);
    if (process != 0) {
      close(ends[1]);
      return;
    }
    const std::string number = std::to_string(dup(ends[1]));  // open after exec
    execl(path.c_str(), path.c_str(), number.c_str(), nullptr);
    _exit(127);
  }

  pid_t start(const ProgramStart& start) const {
    pid_t process = -1;
    ask(packed(start), &process, sizeof(process));
    return process;
  }
  ProgramEnd wait(pid_t process, bool block) const {
    ProgramEnd end;
    ask((block ? "w" : "p") + std::to_string(process), &end, sizeof(end));
    return end;
  }

 private:
  void ask(const std::string& request, void* answer, size_t size) const {
    HEED_CHECK(send(socket_, request.data(), request.size(), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(request.size()));
    HEED_CHECK(recv(socket_, answer, size, 0) == static_cast<ssize_t>(size));
  }
  int socket_;
};

// The forking program next to the tested program; nullptr if it was not built.
inline const ForkingProgram* forking_program(const std::string& program) {
  static const std::string path =
      (std::filesystem::path(program).parent_path() / "heed_forking").string();
  if (!std::filesystem::exists(path)) return nullptr;
  static const ForkingProgram forking(path);
  return &forking;
}

// Number of active limits (limits.h), which do not apply to the forking process.
inline int limits_of_tests = 0;

class StartedProgram {
 public:
  // `anew`: by exec, which a changed environment or limit requires as well.
  StartedProgram(const ProgramStart& start, bool anew) {
    const bool is_plain =
        start.environment.empty() && limits_of_tests == 0 && packed(start).size() < kLargestRequest;
    forking_ = anew || !is_plain ? nullptr : forking_program(start.words.at(0));
    process_ = forking_ != nullptr ? forking_->start(start) : execute(start);
  }
  pid_t process() const { return process_; }
  const ProgramEnd& wait(bool block) {
    if (!end_.ended)
      end_ = forking_ != nullptr ? forking_->wait(process_, block) : wait_for(process_, block);
    return end_;
  }

 private:
  static pid_t execute(ProgramStart start) {
    const std::vector<char*> arguments = pointers(start.words);
    const pid_t process = fork();
    HEED_CHECK(process >= 0);
    if (process != 0) return process;
    enter(start);
    execv(arguments[0], arguments.data());
    _exit(127);
  }

  const ForkingProgram* forking_;
  pid_t process_;
  ProgramEnd end_;
};

}  // namespace heed
