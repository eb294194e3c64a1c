// One writer a run: an advisory lock (flock) on the file .lock in the run's folder. The system
// releases it when the process ends, even by SIGKILL; the file stays.
#pragma once

#include <filesystem>

namespace heed {

class RunLock {
 public:
  // The folder exists. Throws Error(kIo) that names the process and the host of the holder. Warns on
  // a file system without locks.
  explicit RunLock(const std::filesystem::path& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int file_;
};

}  // namespace heed
