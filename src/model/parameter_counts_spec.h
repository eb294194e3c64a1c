// Parameter counts of a network, from the sizes of its tensors.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace heed {

// Number of elements of each tensor, by the name that model.safetensors has for it. Parameters that
// several modules share count once, under the first.
using TensorSizes = std::map<std::string, int64_t>;

// The number of parameters of each module down to `depth` levels, by name. "all" is the sum.
std::map<std::string, int64_t> parameter_counts(const TensorSizes& sizes, int64_t depth);

// One line for each count, the sum last.
std::string parameter_table(const TensorSizes& sizes, int64_t depth = 2);

}  // namespace heed
