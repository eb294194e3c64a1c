#include "base/host.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

namespace heed {

namespace {

int64_t cores_of_machine() {
  return std::max<int64_t>(1, static_cast<int64_t>(std::thread::hardware_concurrency()));
}

// std::thread::hardware_concurrency() counts all cores of the machine. The system call fails if the
// machine has more cores than cpu_set_t (1024).
int64_t bound_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return cores_of_machine();
  return std::max(1, CPU_COUNT(&cores));
}

}  // namespace

std::optional<std::string> host_name() {
  constexpr size_t kLongestName = 256;
  std::array<char, kLongestName> name{};
  const bool known = gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0';
  return known ? std::optional<std::string>(name.data()) : std::nullopt;
}

int64_t usable_cores(int64_t processes) {
  const int64_t bound = bound_cores(), all = cores_of_machine();
  const double own = static_cast<double>(bound < all ? bound : all / processes);
  const double limit = processor_limit("/sys/fs/cgroup/cpu.max") / static_cast<double>(processes);
  return std::max<int64_t>(1, static_cast<int64_t>(std::min(own, std::ceil(limit))));
}

double processor_limit(const std::string& file) {
  double time = 0, period = 0;
  std::ifstream in(file);
  return in >> time >> period && time > 0 && period > 0 ? time / period
                                                        : std::numeric_limits<double>::infinity();
}

}  // namespace heed
