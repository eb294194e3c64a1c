// Options of `heed inspect`.
#pragma once

#include <string>
#include <vector>

namespace heed {

struct InspectOptions {
  static constexpr const char* kEntry = "heed_inspect";  // of the library with tensors
  std::vector<std::string> models;                       // several: side by side
  bool config = false;                                   // the config alone, of one model
  bool json = false;
};

}  // namespace heed
