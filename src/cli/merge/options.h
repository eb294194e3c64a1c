// Options of `heed merge`.
#pragma once

#include <string>

namespace heed {

struct MergeOptions {
  static constexpr const char* kEntry = "heed_merge";  // of the library with tensors
  std::string model, adapter, output;
};

}  // namespace heed
