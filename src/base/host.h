// The computer that this process runs on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heed {

// nullopt: it has none, or the system does not say it.
std::optional<std::string> host_name();

// Cores that each of `processes` on this host that compute together may use, 1 at least: its share of
// all cores; or those it is bound to (taskset, cpusets of containers, Slurm, mpirun), for itself,
// since launchers bind each process to its own. Fewer, rounded up, where the control group limits the
// processor time (`docker --cpus`).
int64_t usable_cores(int64_t processes = 1);

// The limit of a cpu.max file of control groups (version 2), "MICROSECONDS PERIOD" or "max PERIOD",
// in cores; infinite if there is no such file or limit.
double processor_limit(const std::string& file);

}  // namespace heed
