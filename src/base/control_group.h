// Limits of the control groups that this process is in (cgroup, version 2), as containers, systemd and
// batch systems set them.
#pragma once

#include <string>

namespace heed {

struct ControlGroupFiles {
  // A file that names the innermost group in its line "0::PATH".
  std::string membership = "/proc/self/cgroup";
  // The folder of the outermost group, in which each other one is a folder of the one around it.
  std::string root = "/sys/fs/cgroup";
};

// The least limit of processor time, in cores, of these groups: their cpu.max files,
// "MICROSECONDS PERIOD" or "max PERIOD". Infinite if there is none.
double processor_limit(const ControlGroupFiles& groups = {});

// The least limit of memory, in bytes, of these groups: their memory.max files, "BYTES" or "max".
// Infinite if there is none.
double memory_limit(const ControlGroupFiles& groups = {});

}  // namespace heed
