// Options of `heed average`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed {

struct AverageOptions {
  static constexpr const char* kEntry = "heed_average";  // of the library with tensors
  std::vector<std::string> models;
  std::string output;
  std::optional<int64_t> last, best;  // checkpoints of one run
};

}  // namespace heed
