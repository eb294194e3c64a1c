// `heed config check`: what training would refuse, or warn of, before its first update.
#pragma once

#include <string>
#include <vector>

namespace heed {

struct CheckOptions {
  std::string config;
  std::vector<std::string> set;  // KEY=VALUE, each overrides the config
};

// Reads the config and all data; writes nothing. Opens libtorch only if the network is needed.
// Prints the result and returns the exit code. Throws what training throws.
int run_check(const CheckOptions& options);

}  // namespace heed
