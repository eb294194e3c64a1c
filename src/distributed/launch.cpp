#include "distributed/launch.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "config/numbers.h"

namespace heed {

namespace {

constexpr int64_t kMaxPort = 65535;
constexpr int64_t kMaxProcesses = 1 << 20;

// Reads the variables of one launcher and keeps what is wrong with them.
class Variables {
 public:
  explicit Variables(const Environment& environment) : environment_(environment) {}

  std::optional<std::string> find(const std::string& name) const { return environment_(name); }

  std::string text(const std::string& name) {
    const auto value = environment_(name);
    if (!value) problems_.push_back(name + ": is not set");
    return value.value_or("");
  }

  int64_t number(const std::string& name, int64_t least, int64_t most) {
    const auto value = environment_(name);
    if (!value) {
      problems_.push_back(name + ": is not set");
      return least;
    }
    return checked(name, *value, least, most);
  }

  int64_t number_or(const std::string& name, int64_t least, int64_t most, int64_t otherwise) {
    const auto value = environment_(name);
    return value ? checked(name, *value, least, most) : otherwise;
  }

  void require(const std::string& launcher) const {
    if (problems_.empty()) return;
    throw_error(ErrorKind::kUsage,
                "the environment that {} gives to its processes is incomplete: {}; start them by "
                "{}, or unset the variables to train in one process",
                launcher, fmt::join(problems_, "; "), launcher);
  }

 private:
  int64_t checked(const std::string& name, const std::string& value, int64_t least, int64_t most) {
    const auto number = to_integer(value);
    if (number && *number >= least && *number <= most) return *number;
    problems_.push_back(fmt::format("{}: found '{}', expected a whole number from {} to {}", name,
                                    value, least, most));
    return least;
  }

  const Environment& environment_;
  std::vector<std::string> problems_;
};

// Port of a job that sets none, derived from the job's name: lower than the ports that the system
// gives to clients, and usually different for each job.
uint16_t port_of_job(const std::string& job) {
  constexpr uint64_t kFirst = 20000, kCount = 10000;
  return static_cast<uint16_t>(kFirst + stream_key(0, job) % kCount);
}

uint16_t port(Variables& variables, const std::string& job) {
  return static_cast<uint16_t>(variables.number_or("MASTER_PORT", 1, kMaxPort, port_of_job(job)));
}

void read_ranks(Launch& launch, Variables& variables, const std::string& rank,
                const std::string& processes) {
  launch.processes = variables.number(processes, 1, kMaxProcesses);
  launch.rank = variables.number(rank, 0, launch.processes - 1);
}

void read_local_ranks(Launch& launch, Variables& variables, const std::string& rank,
                      const std::string& processes) {
  launch.local_processes = variables.number_or(processes, 1, launch.processes, 1);
  launch.local_rank = variables.number_or(rank, 0, launch.local_processes - 1, 0);
}

Launch of_torchrun(Variables& variables) {
  Launch launch{.launcher = "torchrun"};
  read_ranks(launch, variables, "RANK", "WORLD_SIZE");
  read_local_ranks(launch, variables, "LOCAL_RANK", "LOCAL_WORLD_SIZE");
  if (launch.is_alone()) return launch;
  launch.meeting.host = variables.text("MASTER_ADDR");
  launch.meeting.port = static_cast<uint16_t>(variables.number("MASTER_PORT", 1, kMaxPort));
  if (variables.find("TORCHELASTIC_USE_AGENT_STORE").value_or("") == "True") {
    launch.meeting.served_by_launcher = true;
    launch.meeting.prefix = fmt::format("/worker/attempt_{}/",
                                        variables.find("TORCHELASTIC_RESTART_COUNT").value_or("0"));
  }
  return launch;
}

// mpirun sets no host address; a single host needs none.
std::string host_of_mpi(const Launch& launch, Variables& variables) {
  if (const auto host = variables.find("MASTER_ADDR")) return *host;
  if (launch.local_processes < launch.processes) {
    throw_error(ErrorKind::kUsage,
                "MASTER_ADDR: is not set, and mpirun started processes on several hosts; name the "
                "host of process 0: mpirun -x MASTER_ADDR=HOST …");
  }
  return "127.0.0.1";
}

Launch of_open_mpi(Variables& variables) {
  Launch launch{.launcher = "mpirun"};
  read_ranks(launch, variables, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE");
  read_local_ranks(launch, variables, "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE");
  if (launch.is_alone()) return launch;
  const std::string job = variables.find("PMIX_NAMESPACE")
                              .value_or(variables.find("OMPI_MCA_ess_base_jobid").value_or(""));
  launch.meeting = {.host = host_of_mpi(launch, variables), .port = port(variables, job)};
  return launch;
}

Launch of_hydra(Variables& variables) {
  Launch launch{.launcher = "mpirun"};
  read_ranks(launch, variables, "PMI_RANK", "PMI_SIZE");
  read_local_ranks(launch, variables, "MPI_LOCALRANKID", "MPI_LOCALNRANKS");
  if (launch.is_alone()) return launch;
  launch.meeting = {.host = host_of_mpi(launch, variables), .port = port(variables, "")};
  return launch;
}

Launch of_slurm(Variables& variables) {
  Launch launch{.launcher = "srun"};
  read_ranks(launch, variables, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS");
  if (launch.is_alone()) return launch;
  constexpr int64_t kMany = std::numeric_limits<int64_t>::max();
  launch.local_processes = tasks_of_node(variables.text("SLURM_STEP_TASKS_PER_NODE"),
                                         variables.number("SLURM_NODEID", 0, kMany));
  launch.local_rank = variables.number("SLURM_LOCALID", 0, launch.processes - 1);
  const auto host = variables.find("MASTER_ADDR");
  launch.meeting.host = host ? *host : first_host(variables.text("SLURM_STEP_NODELIST"));
  launch.meeting.port =
      port(variables, variables.text("SLURM_JOB_ID") + "." + variables.text("SLURM_STEP_ID"));
  return launch;
}

bool is_of_several(const Variables& variables, const char* processes) {
  const auto count = variables.find(processes);
  return count && *count != "1";
}

}  // namespace

Launch find_launch(const Environment& environment) {
  Variables variables(environment);
  Launch launch;
  // Checks mpirun before srun, because srun may have started mpirun. srun also sets PMI_SIZE, a
  // variable of MPICH and Intel MPI.
  if (variables.find("WORLD_SIZE")) {
    launch = of_torchrun(variables);
  } else if (is_of_several(variables, "OMPI_COMM_WORLD_SIZE")) {
    launch = of_open_mpi(variables);
  } else if (is_of_several(variables, "PMI_SIZE") && variables.find("MPI_LOCALRANKID")) {
    launch = of_hydra(variables);
  } else if (is_of_several(variables, "SLURM_STEP_NUM_TASKS")) {
    launch = of_slurm(variables);
  } else if (is_of_several(variables, "PMI_SIZE")) {
    launch = of_hydra(variables);
  }
  if (!launch.is_alone()) {
    constexpr int64_t kDay = 24 * 60 * 60;
    launch.meeting.patience = std::chrono::seconds(
        variables.number_or("HEED_START_TIMEOUT", 1, kDay, launch.meeting.patience.count()));
  }
  variables.require(launch.launcher);
  return launch;
}

Launch find_launch() {
  return find_launch([](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  });
}

std::string first_host(const std::string& nodes) {
  const size_t end = nodes.find_first_of("[,");
  if (end == std::string::npos || nodes[end] == ',') return nodes.substr(0, end);
  const size_t close = nodes.find(']', end);
  if (close == std::string::npos) return nodes.substr(0, end);
  const std::string inside = nodes.substr(end + 1, close - end - 1);
  const std::string rest = nodes.substr(close + 1);
  return nodes.substr(0, end) + inside.substr(0, inside.find_first_of("-,")) + first_host(rest);
}

int64_t tasks_of_node(const std::string& tasks, int64_t node) {
  size_t begin = 0;
  int64_t first = 0;
  while (begin < tasks.size()) {
    const size_t end = std::min(tasks.find(',', begin), tasks.size());
    const std::string part = tasks.substr(begin, end - begin);
    const size_t times = part.find("(x");
    const int64_t count = to_integer(part.substr(0, times)).value_or(1);
    const int64_t nodes =
        times == std::string::npos
            ? 1
            : to_integer(part.substr(times + 2, part.size() - times - 3)).value_or(1);
    if (node < first + nodes) return count;
    first += nodes;
    begin = end + 1;
  }
  return 1;
}

}  // namespace heed
