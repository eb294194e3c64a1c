#include "base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <sstream>

#include <spdlog/fmt/fmt.h>

#include "base/address_space.h"
#include "base/control_group.h"
#include "base/small_file.h"
#include "base/system/system.h"

namespace heed {

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// First number in a file; kUnlimited if there is none ("max").
double number_in(const char* path) {
  double number = 0;
  std::istringstream file(read_file_or_empty(path));
  return file >> number ? number : kUnlimited;
}

// Address space that `ulimit -v` still allows, without the memory that is already mapped.
double address_space_left() {
  const double limit = address_space_limit();
  if (limit == kUnlimited) return kUnlimited;
  return std::max(0.0, limit - memory_use().mapped);
}

}  // namespace

double machine_memory() {
  const double physical =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return std::min({physical, address_space_left(), memory_limit(),
                   number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

double resident_memory() { return memory_use().resident; }

std::string format_bytes(double bytes) {
  constexpr double kStep = 1000;
  constexpr std::array kUnits = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  for (; bytes >= kStep && unit + 1 < kUnits.size(); ++unit) bytes /= kStep;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, kUnits[unit]);
}

}  // namespace heed
