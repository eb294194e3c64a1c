#include "base/address_space.h"

#include <sys/resource.h>

#include <cmath>
#include <limits>

#include <spdlog/fmt/fmt.h>

#include "base/memory.h"

namespace heed {

double address_space_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  return static_cast<double>(limit.rlim_cur);
}

std::string address_space_advice() {
  const double limit = address_space_limit();
  if (std::isinf(limit)) return "";
  return fmt::format("; this needs more than the {} of address space that `ulimit -v` allows",
                     format_bytes(limit));
}

}  // namespace heed
