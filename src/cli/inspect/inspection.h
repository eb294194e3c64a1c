// The work of `heed inspect`. It reads the weights' header alone, so it opens no libtorch.
#pragma once

#include <string>
#include <vector>

namespace heed {

struct InspectOptions {
  std::vector<std::string> models;  // several: side by side
  bool config = false;              // the config alone, of one model
  bool json = false;
};

// Returns the exit code. Throws Error: kModel, kUsage.
int run_inspect(const InspectOptions& options);

}  // namespace heed
