// One writer per run: advisory locks (flock) on the run's folder, which nobody can replace by
// deleting a file, and on the file .lock in it, for file systems that lock no folders. The file
// names the holder. The system releases both when the process ends, even by SIGKILL; the file
// stays.
#pragma once

#include <filesystem>

#include "base/descriptor.h"

namespace heed {

class RunLock {
 public:
  // The folder exists. Throws Error(kIo) that names the process and the host of the holder. Warns
  // on a file system without locks.
  explicit RunLock(const std::filesystem::path& folder);

 private:
  Descriptor file_, folder_;
};

}  // namespace heed
