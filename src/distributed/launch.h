// Rank of this process and the meeting point of all processes, read from the environment that
// torchrun, srun (Slurm) or mpirun (Open MPI, MPICH, Intel MPI) sets for each process.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heed {

// Address of the store that all processes connect to.
struct MeetingPoint {
  std::string host{};
  uint16_t port = 0;
  bool served_by_launcher = false;    // torchrun's agent has it; else process 0 opens it
  std::string prefix{};               // of keys: torchrun counts its restarts
  std::chrono::seconds patience{60};  // since a process last came; HEED_START_TIMEOUT
};

struct Launch {
  std::string launcher{};       // "torchrun", "srun", "mpirun"; "" for one process
  int64_t rank = 0;             // of this process, from 0
  int64_t processes = 1;        // on all hosts
  int64_t local_rank = 0;       // among those of this host
  int64_t local_processes = 1;  // on this host
  MeetingPoint meeting{};

  bool is_alone() const { return processes == 1; }
};

using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// Throws Error(kUsage) that lists every variable that is missing or outside its range.
Launch find_launch(const Environment& environment);
Launch find_launch();  // of this process

// The first host of a Slurm list: "node[07-09,12],gpu1" -> "node07".
std::string first_host(const std::string& nodes);
// Tasks of node n in Slurm's form: "4(x2),3" -> 4, 4, 3. Returns 1 for a node outside the list.
int64_t tasks_of_node(const std::string& tasks, int64_t node);

}  // namespace heed
