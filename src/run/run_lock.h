// One writer per run or sweep: advisory locks (flock) on the run's folder, which nobody can replace by
// deleting a file, and on the file .lock in it, for file systems that lock no folders. The file
// names the holder. The system releases both when the process ends, even by SIGKILL; the file
// stays.
#pragma once

#include <filesystem>
#include <string>

#include "base/descriptor.h"

namespace heed {

class RunLock {
 public:
  // The folder exists. Throws Error(kIo) that names the process and the host of the holder, and says
  // what it does and what else can be done. Warns on a file system without locks.
  explicit RunLock(const std::filesystem::path& folder,
                   const char* work =
                       "is training this run; wait until it ends or stop it, or train "
                       "another run (--run FOLDER)");

 private:
  Descriptor file_, folder_;
};

// The holder of the lock of a folder that is locked: "process 12 on HOST".
std::string holder_of_lock(const std::filesystem::path& folder);

}  // namespace heed
