#include "base/control_group.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>
#include <string_view>

#include "base/small_file.h"

namespace heed {

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// "a/b" of a line "0::/a/b"; empty: the root.
std::string innermost_group(const std::string& membership) {
  constexpr std::string_view kVersion2 = "0::/";
  std::istringstream file(read_file_or_empty(membership));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(kVersion2)) return line.substr(kVersion2.size());
  }
  return "";
}

// The least of the limits that the files `name` of all groups give. limit_in(stream): kNoLimit if there
// is none.
template <class LimitIn>
double least_limit(const ControlGroupFiles& groups, const char* name, const LimitIn& limit_in) {
  std::filesystem::path folder = groups.root;
  const auto limit = [&] {
    std::istringstream file(read_file_or_empty(folder / name));
    return limit_in(file);
  };
  double least = limit();
  for (const auto& part : std::filesystem::path(innermost_group(groups.membership))) {
    folder /= part;
    least = std::min(least, limit());
  }
  return least;
}

}  // namespace

double processor_limit(const ControlGroupFiles& groups) {
  return least_limit(groups, "cpu.max", [](std::istream& file) {
    double time = 0, period = 0;
    return file >> time >> period && time > 0 && period > 0 ? time / period : kNoLimit;
  });
}

double memory_limit(const ControlGroupFiles& groups) {
  return least_limit(groups, "memory.max", [](std::istream& file) {
    double bytes = 0;
    return file >> bytes ? bytes : kNoLimit;
  });
}

}  // namespace heed
