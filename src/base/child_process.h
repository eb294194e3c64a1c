// Processes of this same program that do a part of its work, side by side.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heed {

struct ChildStart {
  std::vector<std::string> arguments{};  // without the name of the program
  // Its standard output and error, replaced. The file is locked as long as the process lives.
  std::filesystem::path output;
  // The cores that it may use: this many beginning at the first, in the order of those of this
  // process. 0: all.
  int64_t first_core = 0, cores = 0;
};

// A process that gets SIGTERM when the thread that has started it ends, whatever ended it.
class ChildProcess {
 public:
  // Throws Error(kIo).
  explicit ChildProcess(const ChildStart& start);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // ends it by SIGTERM, and waits

  // True once it has ended. Does not wait.
  bool has_ended();
  // Its exit code; 128 + N if signal N ended it.
  int exit_code() const { return exit_code_; }
  void send(int signal) const;

 private:
  pid_t process_ = -1;
  bool ended_ = false;
  int exit_code_ = -1;
};

}  // namespace heed
