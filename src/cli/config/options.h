// Options of `heed config check`.
#pragma once

#include <string>
#include <vector>

namespace heed {

struct CheckOptions {
  static constexpr const char* kEntry = "heed_check";  // of the library with tensors
  std::string config;
  std::vector<std::string> set;  // key=value, each overrides the config
};

}  // namespace heed
