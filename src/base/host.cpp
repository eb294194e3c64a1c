#include "base/host.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

#include "base/control_group.h"
#include "base/system/system.h"

namespace heed {

namespace {

int64_t cores_of_machine() {
  return std::max<int64_t>(1, static_cast<int64_t>(std::thread::hardware_concurrency()));
}

// std::thread::hardware_concurrency() counts all online cores (glibc).
int64_t bound_cores() { return std::max<int64_t>(1, allowed_cores().value_or(cores_of_machine())); }

}  // namespace

std::optional<std::string> host_name() {
  constexpr size_t kLongestName = 256;
  std::array<char, kLongestName> name{};
  const bool known = gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0';
  return known ? std::optional<std::string>(name.data()) : std::nullopt;
}

int64_t usable_cores(int64_t processes) {
  const double all =
      std::min(static_cast<double>(cores_of_machine()), std::ceil(processor_limit()));
  return std::clamp<int64_t>(static_cast<int64_t>(all) / processes, 1, bound_cores());
}

}  // namespace heed
