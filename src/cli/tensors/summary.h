// Parameter counts of a network.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <torch/nn/module.h>

namespace heed {

// The number of parameters of each module down to `depth` levels, by name. Parameters that several
// modules share count once, under the first. "all" is the sum.
std::map<std::string, int64_t> parameter_counts(const torch::nn::Module& network, int64_t depth);

// One line for each count, the sum last.
std::string parameter_table(const torch::nn::Module& network, int64_t depth = 2);

}  // namespace heed
