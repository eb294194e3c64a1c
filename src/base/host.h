// The computer that this process runs on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heed {

// Name of the host; nullopt if the system does not report one.
std::optional<std::string> host_name();

// Number of logical cores that this process may use, at least 1. `processes` on this host that
// compute together share them. A process that is bound to some cores (taskset, a cpuset, Slurm,
// mpirun) uses no more than these, and no more, rounded up, than the processor time that its
// control group allows (`docker --cpus`, CPUQuota of systemd).
int64_t usable_cores(int64_t processes = 1);

}  // namespace heed
