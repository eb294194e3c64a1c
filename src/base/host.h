// The computer that this process runs on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heed {

// nullopt: it has none, or the system does not say it.
std::optional<std::string> host_name();

// Logical cores that this process may use, at least 1. With several processes on this host that
// compute together, each has its share. A process that is bound to some cores (taskset, a cpuset,
// Slurm, mpirun) uses no more than these; nor more, rounded up, than the processor time that its
// control group allows (`docker --cpus`, CPUQuota of systemd).
int64_t usable_cores(int64_t processes = 1);

}  // namespace heed
