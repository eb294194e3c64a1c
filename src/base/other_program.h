// Runs other installed programs, with files in memory for their input and output.
#pragma once

#include <string>
#include <vector>

namespace heed {

// File in memory. Throws Error(kIo) if the system does not support it.
class MemoryFile {
 public:
  MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();
  int number() const { return number_; }
  void write(const std::string& text) const;  // then reading starts at the beginning
  std::string read() const;                   // all of it

 private:
  int number_;
};

inline constexpr int kNotStarted = -1;

// words: the program, found by PATH, and its arguments. Its standard error is that of this process.
// Returns its exit code, kNotStarted if the program does not exist, 1 if a signal ended it.
int run_other_program(std::vector<std::string> words, const MemoryFile& in, const MemoryFile& out);

}  // namespace heed
