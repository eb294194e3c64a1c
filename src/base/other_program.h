// Other programs that are installed beside this one, with files in memory for what they read and
// write.
#pragma once

#include <string>
#include <vector>

namespace heed {

// Error(kIo) where the system has none.
class MemoryFile {
 public:
  MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();
  int number() const { return number_; }
  void write(const std::string& text) const;  // to be read from its beginning
  std::string read() const;                   // all of it

 private:
  int number_;
};

inline constexpr int kNotStarted = -1;

// words: the program, found by PATH, and its arguments. Its standard error is that of this process.
// Returns its exit code, kNotStarted if there is no such program, 1 if a signal ended it.
int run_other_program(std::vector<std::string> words, const MemoryFile& in, const MemoryFile& out);

}  // namespace heed
