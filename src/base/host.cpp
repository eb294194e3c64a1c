#include "base/host.h"

#include <unistd.h>

#include <array>

namespace heed {

std::optional<std::string> host_name() {
  constexpr size_t kLongestName = 256;
  std::array<char, kLongestName> name{};
  const bool known = gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0';
  return known ? std::optional<std::string>(name.data()) : std::nullopt;
}

}  // namespace heed
