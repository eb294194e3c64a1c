// Parameters of a model by name, in float32.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace heed {

struct Array {
  std::vector<int64_t> shape;
  std::vector<float> values;
};

// Returns the parameter of this name; an array without shape if there is none.
using Weights = std::function<Array(const std::string& name)>;

}  // namespace heed
