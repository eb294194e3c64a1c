// One writer a run: an advisory lock (flock) on the file .lock in the run's folder. The system
// releases it when the process ends, even by SIGKILL; the file stays.
#pragma once

#include <filesystem>

#include "base/descriptor.h"

namespace heed {

class RunLock {
 public:
  // The folder exists. Throws Error(kIo) that names the process and the host of the holder. Warns on
  // a file system without locks.
  explicit RunLock(const std::filesystem::path& folder);

 private:
  Descriptor file_;
};

}  // namespace heed
